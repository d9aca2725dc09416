// The memory side of a core's pins: an AxiMemory decides when, a Dram holds the bytes. Bytes are read when their beat
// passes and written when theirs does.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "sim/memory/axi_memory.h"
#include "sim/memory/dram.h"
#include "sim/rtl/model_abi.h"

namespace vantage::sim {

class AxiPort {
 public:
  AxiPort(const MemoryTiming& timing, Bytes beat) : memory_(timing, beat), beat_(beat.count()) {}

  // Sets the inputs of cycle `now`; then, once the core has answered, takes what it sent. Says whether anything passed.
  void before(isa::Cycle now, const Dram& dram, vantage_rtl_pins& pins);
  bool after(isa::Cycle now, Dram& dram, const vantage_rtl_pins& pins);
  // What the core took from memory in that cycle, if it did. The bytes lie in the pins.
  struct Beat {
    uint64_t address;
    std::span<const std::byte> bytes;
  };
  const std::optional<Beat>& beat_read() const { return beat_read_; }

  // A new run: cycles begin at 0 again. REQUIRES: idle()
  void restart() { memory_.reset(); }
  bool idle() const { return reads_.empty() && writes_.empty() && responses_.empty(); }
  // Drops what is under way, as when the core is reset.
  void abandon();

 private:
  struct Read {
    uint64_t address;
    Progression beats;  // to come
  };
  struct Write {
    uint64_t address;
    unsigned beats;
    bool failed;
  };
  struct Response {
    isa::Cycle cycle;
    bool failed;
  };

  AxiMemory memory_;
  uint64_t beat_;  // bytes
  std::optional<Beat> beat_read_;
  std::deque<Read> reads_;
  std::deque<Write> writes_;
  std::deque<Response> responses_;
};

}  // namespace vantage::sim
