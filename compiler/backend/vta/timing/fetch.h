// Fetch and dispatch at the grain of beats, for the timeline.
#pragma once

#include <algorithm>
#include <array>

#include "base/math.h"
#include "compiler/backend/vta/timing/read_port.h"
#include "hw/isa/codec.h"

namespace vantage::vta {

class FetchTimeline {
 public:
  // `beat`: bytes of a beat of the bus. `insns`: instructions of the program, at least one.
  FetchTimeline(ReadPort& port, Bytes beat, uint64_t insns)
      : port_(port),
        beat_(beat.count()),
        beats_per_insn_(std::max<uint64_t>(1, isa::kInsnBytes / beat_)),
        insns_per_beat_(std::max<uint64_t>(1, beat_ / isa::kInsnBytes)),
        beats_(ceil_div(insns * isa::kInsnBytes, beat_)) {}

  // Whether a burst is asked for as soon as the buffer has room, as far as is known, and from when on.
  bool is_asking() const { return asked_ < beats_ && asked_ + kBurst <= popped_ + kBuffer; }
  isa::Cycle next_request() const {
    return asked_ + kBurst <= kBuffer ? asked_from_ : std::max(asked_from_, pops_[(asked_ + kBurst - 1) % kBuffer] + 1);
  }
  // REQUIRES: is_asking()
  void ask() {
    const auto beats = static_cast<unsigned>(std::min<uint64_t>(kBurst, beats_ - asked_));
    const ReadPort::Answer answer =
        port_.read(core::Requester::kFetch, next_request(), {static_cast<uint32_t>(asked_ * beat_), beats});
    asked_from_ = answer.granted + 1;
    for (unsigned i = 0; i < beats; ++i) given_[(asked_ + i) % kBuffer] = answer.beats.at(i);
    asked_ += beats;
  }

  // Whether it is known when the next instruction comes.
  bool has_insn() const { return popped_ + beats_per_insn_ <= asked_; }
  // The cycle in which it is dispatched, which its queue has room for from `room` on. REQUIRES: has_insn()
  isa::Cycle dispatch(isa::Cycle room) {
    // All but the last beat of an instruction leave the buffer as they come
    for (uint64_t i = 1; i < beats_per_insn_; ++i) take(head());
    const isa::Cycle at = std::max({head(), next_dispatch_, room});
    next_dispatch_ = at + 1;
    if (++slot_ == insns_per_beat_) {
      slot_ = 0;
      take(at);
    }
    return at;
  }

 private:
  static constexpr uint64_t kBuffer = isa::timing::kFetchBeats, kBurst = isa::timing::kBurstBeats;

  // From when on the beat at the buffer's head may leave it.
  isa::Cycle head() const { return std::max(isa::timing::in_buffer(given_[popped_ % kBuffer]), next_pop_); }
  void take(isa::Cycle at) {
    pops_[popped_++ % kBuffer] = at;
    next_pop_ = at + 1;
  }

  ReadPort& port_;
  uint64_t beat_;
  uint64_t beats_per_insn_, insns_per_beat_;
  uint64_t beats_;                   // of the program
  uint64_t slot_ = 0;                // instructions of the head that are dispatched
  uint64_t asked_ = 0, popped_ = 0;  // beats
  std::array<isa::Cycle, kBuffer> given_{}, pops_{};
  isa::Cycle asked_from_, next_pop_, next_dispatch_;
};

}  // namespace vantage::vta
