// The load stage: it brings INP and WGT from memory into their scratchpads, as docs/hardware.md tells. Here it is told
// only when; the functional kernels move the elements as an instruction is issued. All cycles are those of the run.
//
// Thread safety: none, as of everything that lives in SystemC's kernel.
#pragma once

#include "sim/systemc/issued_transfers.h"
#include "sim/systemc/read_dma.h"
#include "sim/systemc/stage_meter.h"
#include "sim/systemc/token_queue.h"
#include "sim/systemc/transfer_slot.h"

namespace vantage::systemc {

class LoadStage : public sc_core::sc_module, public DmaClient {
 public:
  SC_HAS_PROCESS(LoadStage);
  LoadStage(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control, CommandQueue& queue,
            TokenQueue& from_compute, TokenQueue& to_compute, AxiPort& port);

  // Begins a run with an empty stage. `beat_log`: log2 of the bytes of a beat.
  void restart(unsigned beat_log);

  // For the end of a run, when nothing happens any more: the instruction that waits to be issued, null if there is
  // none; and the first cycle from which on nothing has happened in the stage but that wait.
  const Command* waiting() const { return slot_.waiting(); }
  Cycle quiet_from() const;
  // The stage's cycles in a run that is over at the beginning of cycle `end`, as docs/hardware.md counts them; and the
  // first cycle in which nothing of the stage is under way. REQUIRES: nothing happens any more.
  sim::StageCycles table(Cycle end);
  Cycle free_from() const { return meter_.free_from(); }

  // What the stage's DMA tells (DmaClient).
  void all_asked_for(Cycle at) override { clock_.notify(wake_, at + 1); }
  void writes(const Progression& writes) override {
    meter_.was_busy(writes.count);
    control_.busy(isa::Stage::kLoad, writes);
  }
  void transfer_ends(Cycle at, Cycle turn) override;

 private:
  void on_wake() {
    guard_.run([this] { issue(); });
  }
  void on_end() {
    guard_.run([this] { retire(); });
  }
  void issue();
  void retire();

  Clock& clock_;
  Guard& guard_;
  RunControl& control_;
  TokenQueue& from_compute_;
  TokenQueue& to_compute_;
  TransferSlot slot_;
  ReadDma dma_;
  sc_core::sc_event wake_, ends_;
  IssuedTransfers issued_;
  StageMeter meter_;
};

}  // namespace vantage::systemc
