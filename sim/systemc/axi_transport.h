// How an AXI burst travels as a TLM-2.0 transaction: the base protocol, and what a memory may add to it.
//
// A burst is one generic payload. Only its timing travels: bytes are moved by the functional kernels in the
// accelerator's Dram, and the payload's data pointer names a buffer that nobody reads.
//
//   BEGIN_REQ   the address is shown
//   END_REQ     memory takes it
//   BEGIN_RESP  a read: the first beat comes; a write: the response comes
//   END_RESP    the port's, at once
//
// A memory that speaks the base protocol only says when a burst's first beat comes; the others follow one a cycle.
// Writes send a beat a cycle from the cycle after END_REQ on, and their response comes in the cycle after the last beat
// or when memory says, whichever is later.
//
// A memory that knows AxiTiming can say more, and at once: then nothing has to be waited for. It says when in AxiTiming
// and leaves the delay of its answer alone.
#pragma once

#include <tlm>

#include "sim/systemc/clock.h"

namespace vantage::systemc {

// Cycles of the run. An ignorable extension: memories need not look at it.
struct AxiTiming : tlm::tlm_extension<AxiTiming> {
  // From the initiator: the cycle of BEGIN_REQ, or of END_WRITE_DATA; beats of the burst
  Cycle shown;
  unsigned beats = 0;

  // From a memory that sets `known`:
  bool known = false;
  Cycle taken;             // the address
  Cycle first_beat;        // of a read
  uint64_t beat_step = 1;  // cycles from beat to beat
  uint64_t pause = 0;      // of a write, cycles more than that behind the last beat
  Cycle response;          // of a write, in answer to END_WRITE_DATA

  tlm_extension_base* clone() const override { return new AxiTiming(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const AxiTiming&>(other); }
};

// A write's last beat passes. Sent only to memories that have set AxiTiming::known.
DECLARE_EXTENDED_PHASE(END_WRITE_DATA);

}  // namespace vantage::systemc
