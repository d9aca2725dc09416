// The port's read side: one arbiter for fetch and the DMAs of load and compute stage, and the memory behind it.
#pragma once

#include <algorithm>
#include <array>

#include "hw/core/burst_cutter.h"
#include "hw/core/read_arbiter.h"
#include "hw/isa/timing.h"
#include "hw/memory/axi_memory.h"

namespace vantage::vta {

class ReadPort {
 public:
  ReadPort(const MemoryTiming& timing, Bytes beat) : memory_(timing, beat) {}

  // Whose burst is granted next when these ask from these cycles on; isa::kNever is who does not. REQUIRES: someone
  // does.
  core::Requester next(const std::array<isa::Cycle, core::kRequesters>& from) const {
    return arbiter_.next(from, std::max(std::ranges::min(from), grant_from()));
  }

  struct Answer {
    isa::Cycle granted;
    Progression beats;  // as memory gives them
  };
  // A burst that is asked for from cycle `from` on. Bursts are granted in the order of the calls.
  Answer read(core::Requester requester, isa::Cycle from, const core::Burst& burst) {
    const isa::Cycle at = std::max(from, grant_from());
    arbiter_.grant(requester);
    granted_ = at;
    const isa::Cycle shown = std::max(isa::timing::address_shown(at), taken_[(grants_ + 1) % kAddresses] + 1);
    const isa::Cycle taken = memory_.read_ready_from(shown);
    const Progression beats = memory_.read(taken, burst.address, burst.beats);
    taken_[grants_ % kAddresses] = taken;
    last_beats_[grants_++ % isa::timing::kReadBursts] = beats.last();
    return {at, beats};
  }

 private:
  // The one that is shown to memory, and one behind it.
  static constexpr size_t kAddresses = 2;

  // When there is room for one more burst.
  isa::Cycle grant_from() const {
    isa::Cycle from = grants_ == 0 ? isa::Cycle() : granted_ + 1;
    if (grants_ >= kAddresses) from = std::max(from, taken_[grants_ % kAddresses] + 1);
    if (grants_ < isa::timing::kReadBursts) return from;
    return std::max(from, isa::timing::in_buffer(last_beats_[grants_ % isa::timing::kReadBursts]));
  }

  AxiMemory memory_;
  core::ReadArbiter arbiter_;
  isa::Cycle granted_;
  std::array<isa::Cycle, kAddresses> taken_{};  // by the burst's number modulo their count, as are last_beats_
  std::array<isa::Cycle, isa::timing::kReadBursts> last_beats_{};
  uint64_t grants_ = 0;
};

}  // namespace vantage::vta
