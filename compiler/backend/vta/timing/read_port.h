// The port's read side: one arbiter for fetch and the DMAs of load and compute stage, and the memory behind it.
#pragma once

#include <algorithm>
#include <array>

#include "hw/core/burst_cutter.h"
#include "hw/isa/timing.h"
#include "hw/memory/axi_memory.h"

namespace vantage::vta {

class ReadPort {
 public:
  ReadPort(const MemoryTiming& timing, Bytes beat) : memory_(timing, beat) {}

  struct Answer {
    isa::Cycle granted;
    Progression beats;  // as memory gives them
  };
  // A burst that is asked for from cycle `from` on. Bursts are granted in the order of the calls.
  Answer read(isa::Cycle from, const core::Burst& burst) {
    using namespace isa::timing;
    isa::Cycle at = std::max(from, grant_from_);
    isa::Cycle& oldest = last_beats_[grants_++ % kReadBursts];
    if (grants_ > kReadBursts) at = std::max(at, in_buffer(oldest));
    grant_from_ = at + 1;
    const isa::Cycle shown = std::max(address_shown(at), taken_ + 1);
    taken_ = memory_.read_ready_from(shown);
    const Progression beats = memory_.read(taken_, burst.address, burst.beats);
    oldest = beats.last();
    return {at, beats};
  }

 private:
  AxiMemory memory_;
  isa::Cycle grant_from_, taken_;
  std::array<isa::Cycle, isa::timing::kReadBursts> last_beats_{};
  uint64_t grants_ = 0;
};

}  // namespace vantage::vta
