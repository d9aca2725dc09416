#include "sim/systemc/fetch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace vantage::systemc {

using isa::kInsnBytes;

Fetch::Fetch(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control, Dispatch& dispatch,
             const std::array<CommandQueue*, 3>& queues, AxiPort& port)
    : sc_module(name),
      clock_(clock),
      guard_(guard),
      control_(control),
      dispatch_(dispatch),
      port_(port),
      fails_("fails") {
  port.connect(Requester::kFetch, *this);
  SC_METHOD(on_room);
  for (const CommandQueue* queue : queues) sensitive << queue->room();
  dont_initialize();
  SC_METHOD(on_fail);
  sensitive << fails_;
  dont_initialize();
  SC_METHOD(on_halt);
  sensitive << control.failed_event();
  dont_initialize();
}

uint32_t Fetch::insns() const {
  return static_cast<uint32_t>(std::min<uint64_t>(control_.context().image.insn_count, isa::kMaxInsns));
}

void Fetch::restart(unsigned beat_log) {
  fails_.cancel();
  const sim::ProgramImage& image = control_.context().image;
  const auto address = static_cast<uint32_t>(image.insn_address.count());
  const unsigned beat = 1u << beat_log;
  cutter_ = BurstCutter(beat_log);
  asked_from_ = Cycle();
  asked_ = popped_ = 0;
  dropped_ = false;
  stop_ = kNever;
  beats_.clear();
  next_pop_ = next_dispatch_ = Cycle();
  insns_per_beat_ = beat / kInsnBytes;
  slot_ = insns_per_beat_ == 0 ? 0 : address % beat / kInsnBytes;
  index_ = 0;
  error_.clear();
  ended_ = stuck_ = false;
  asking_ = insns() != 0;
  if (asking_) {
    cutter_.start({address, insns() * static_cast<uint32_t>(kInsnBytes), 1, 0});
    request();
  } else {
    ended_ = true;
    clock_.notify(fails_, clock_.now());
  }
}

// Bursts --------------------------------------------------------------------------------------------------------------

void Fetch::request() {
  Cycle from = room_for_burst();
  if (from != kNever) from = std::max(from, asked_from_);
  // What is not shown in the cycle after the end is known never is
  if (stop_ != kNever && from > stop_ + 1) {
    asking_ = false;
    dropped_ = true;
    from = kNever;
  }
  port_.request(Requester::kFetch, from, cutter_.burst());
}

Cycle Fetch::room_for_burst() const {
  if (asked_ + timing::kBurstBeats <= timing::kFetchBeats) return Cycle();
  // The beat that must have left the buffer
  const uint64_t last = asked_ + timing::kBurstBeats - timing::kFetchBeats - 1;
  return last < popped_ ? pops_[last % pops_.size()].at + 1 : kNever;
}

void Fetch::granted(Cycle at) {
  asked_ += cutter_.beats();
  const bool last = cutter_.is_last();
  cutter_.next();
  asked_from_ = at + 1;
  if (last || at >= stop_) {
    asking_ = false;
  } else {
    request();
  }
}

// Beats ---------------------------------------------------------------------------------------------------------------

void Fetch::beats_come(const Progression& beats) {
  beats_.push_back(beats);
  // A queue may have got room in this very cycle, which counts from the next one on: on_room() sees to that
  if (!stuck_) progress(Cycle());
  if (asking_) request();
}

void Fetch::resume() {
  if (ended_ || control_.halted(clock_.now())) return;
  stuck_ = false;
  progress(clock_.now() + 1);
  if (asking_) request();
}

void Fetch::pop(Cycle given, Cycle at, bool hands_on) {
  pops_[popped_++ % pops_.size()] = {given, at, hands_on};
  next_pop_ = at + 1;
  Progression& head = beats_.front();
  head.first += head.step;
  if (--head.count == 0) beats_.pop_front();
}

// Takes beats and hands on instructions, in cycle `from` at the earliest, as long as there is something known to take.
void Fetch::progress(Cycle from) {
  while (!beats_.empty()) {
    const Cycle given = beats_.front().first;
    Cycle at = std::max({timing::in_buffer(given), next_pop_, from});
    if (ended_) {
      if (!error_.empty()) return;
      // Thrown away from the cycle after the end on
      pop(given, std::max(at, next_dispatch_), false);
      continue;
    }
    if (insns_per_beat_ == 0 && slot_ == 0) {
      slot_ = 1;
      pop(given, at, false);
      continue;
    }
    at = std::max(at, next_dispatch_);
    if (!hand_on(at)) return;
    if (insns_per_beat_ == 0) {
      slot_ = 0;
      pop(given, at, true);
    } else if (++slot_ == insns_per_beat_) {
      slot_ = 0;
      pop(given, at, true);
    }
  }
}

// The next instruction, in cycle `at`. False when it stays where it is.
bool Fetch::hand_on(Cycle at) {
  const RunContext& context = control_.context();
  const auto bytes =
      context.dram.range(Bytes(context.image.insn_address.count() + index_ * kInsnBytes), Bytes(kInsnBytes));
  const isa::Words words = isa::load_words(bytes.first<kInsnBytes>());
  switch (dispatch_.offer(words, index_, at, error_)) {
    case Dispatch::Outcome::kStuck: stuck_ = true; return false;
    case Dispatch::Outcome::kIllegal:
      error_ = fmt::format("instruction {}: 0x{:016x} 0x{:016x}: {}", index_, words[0], words[1], error_);
      ended_ = true;
      clock_.notify(fails_, at);
      return false;
    case Dispatch::Outcome::kFinished:
      ended_ = true;
      stop_ = at;
      break;
    case Dispatch::Outcome::kDispatched: break;
  }
  next_dispatch_ = at + 1;
  if (++index_ == insns() && !ended_) {
    ended_ = true;
    clock_.notify(fails_, at + 1);
  }
  return true;
}

// In the cycle of an instruction whose bits are none, or after the last one when none was FINISH.
void Fetch::fail() {
  const Cycle now = clock_.now();
  if (!error_.empty()) return control_.fail(FailureCause::kDispatch, now, sim::RunStatus::kRefused, error_);
  control_.fail(
      FailureCause::kNoFinish, now, sim::RunStatus::kRefused,
      fmt::format("the program has no FINISH among its first {} instructions: it would never be done", insns()));
}

// As after a FINISH dispatched in the cycle after the failure, in which nothing is dispatched any longer.
void Fetch::halt() {
  const Cycle failed_at = control_.failed_at();
  stop_ = std::min(stop_, timing::stops_after(failed_at));
  // What was taken for instructions that are not handed on now is thrown away
  const uint64_t kept = std::min<uint64_t>(popped_, pops_.size());
  Cycle earliest;
  for (uint64_t i = popped_ - kept; i < popped_; ++i) {
    Pop& pop = pops_[i % pops_.size()];
    if (earliest != Cycle() || pop.at > stop_ || (pop.hands_on && pop.at > failed_at)) {
      pop.at = std::max({timing::in_buffer(pop.given), earliest, stop_ + 1});
      earliest = next_pop_ = pop.at + 1;
    }
  }
  ended_ = true;
  stuck_ = false;
  error_.clear();
  next_dispatch_ = stop_ + 1;
  progress(Cycle());
  if (asking_) request();
}

Cycle Fetch::idle_from() const {
  return std::max(next_pop_, dropped_ || asking_ ? stop_ + 2 : Cycle());
}

}  // namespace vantage::systemc
