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

  // Who asks, in the order of the arbiter's turns.
  enum Requester : size_t { kFetch, kLoad, kCompute };
  static constexpr size_t kRequesters = 3;

  // Whose burst is granted next when these ask from these cycles on; isa::kNever is who does not. REQUIRES: someone
  // does.
  Requester next(const std::array<isa::Cycle, kRequesters>& from) const {
    const isa::Cycle at = std::max(std::ranges::min(from), grant_from());
    size_t turn = last_granted_;
    do turn = turn + 1 == kRequesters ? 0 : turn + 1;
    while (from[turn] > at);
    return static_cast<Requester>(turn);
  }

  struct Answer {
    isa::Cycle granted;
    Progression beats;  // as memory gives them
  };
  // A burst that is asked for from cycle `from` on. Bursts are granted in the order of the calls.
  Answer read(Requester requester, isa::Cycle from, const core::Burst& burst) {
    const isa::Cycle at = std::max(from, grant_from());
    last_granted_ = requester;
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
  size_t last_granted_ = kRequesters - 1;
  isa::Cycle granted_;
  std::array<isa::Cycle, kAddresses> taken_{};  // by the burst's number modulo their count, as are last_beats_
  std::array<isa::Cycle, isa::timing::kReadBursts> last_beats_{};
  uint64_t grants_ = 0;
};

}  // namespace vantage::vta
