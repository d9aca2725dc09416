// Cycles of the accelerator's clock on SystemC's axis of time. Nothing toggles: modules wake in the cycles in which
// something happens, by events that are notified here.
//
// Times that cross SystemC (delays of transactions, sc_time_stamp) are converted here and nowhere else.
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "base/error.h"
#include "hw/isa/timing.h"

namespace vantage::systemc {

// Latencies, depths and the rules that are sums of some, as docs/hardware.md states them. How the stages follow them
// lies in the modules, with no number but this: what happens in a cycle is seen in the next.
namespace timing = isa::timing;

using isa::Cycle;
using isa::kNever;

class Clock {
 public:
  // This moment becomes cycle 0 of a run at `mhz`.
  void restart(int mhz) {
    constexpr uint64_t kPicosecondsPerMicrosecond = 1'000'000;
    const uint64_t period = (kPicosecondsPerMicrosecond + static_cast<uint64_t>(mhz) / 2) / static_cast<uint64_t>(mhz);
    period_ = sc_core::sc_time(static_cast<double>(period), sc_core::SC_PS).value();
    for (uint64_t i = 0; i < few_cycles_.size(); ++i) few_cycles_[i] = sc_core::sc_time::from_value(i * period_);
    origin_ = sc_core::sc_time_stamp().value();
    horizon_ = latest_ = Cycle();
  }

  // The cycle that this moment lies in.
  Cycle now() const { return Cycle((sc_core::sc_time_stamp().value() - origin_) / period_); }
  sc_core::sc_time cycles(uint64_t count) const {
    return count < few_cycles_.size() ? few_cycles_[count] : sc_core::sc_time::from_value(count * period_);
  }

  // From this moment to the beginning of cycle `at`, which is not past.
  sc_core::sc_time until(Cycle at) const {
    const uint64_t moment = origin_ + at.number() * period_;
    VANTAGE_CHECK(moment >= sc_core::sc_time_stamp().value());
    return sc_core::sc_time::from_value(moment - sc_core::sc_time_stamp().value());
  }
  // The first cycle that begins `delay` after this moment or later.
  Cycle after(const sc_core::sc_time& delay) const {
    return Cycle((sc_core::sc_time_stamp().value() + delay.value() - origin_ + period_ - 1) / period_);
  }

  // Wakes whoever waits for `event` in cycle `at`, which is not past. An earlier notification of the event stays, a
  // later one is replaced: whoever wakes looks for what comes next.
  void notify(sc_core::sc_event& event, Cycle at) {
    event.notify(until(at));
    if (at < horizon_) horizon_ = at;
    if (at > latest_) latest_ = at;
  }

  // Until which cycle nothing happens but what the caller does: a process may work ahead of time so far, as long as
  // what it does in a cycle is seen by others in the next one. It begins by look_ahead(); notifications draw the
  // horizon in.
  void look_ahead() {
    const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity();
    const bool none = pending == sc_core::sc_max_time() - sc_core::sc_time_stamp();
    looked_ahead_at_ = now();
    horizon_ = none ? kNever : looked_ahead_at_ + pending.value() / period_;
  }
  // The cycle of the last look_ahead(), from then on for as long as time stands still.
  Cycle looked_ahead_at() const { return looked_ahead_at_; }
  Cycle horizon() const { return horizon_; }

  // The latest cycle in which somebody has been woken, or will be.
  Cycle latest() const { return latest_; }

 private:
  std::array<sc_core::sc_time, 64> few_cycles_;  // making a time takes a while
  uint64_t period_ = 1;                          // both in units of SystemC's resolution
  uint64_t origin_ = 0;
  Cycle horizon_, looked_ahead_at_, latest_;
};

}  // namespace vantage::systemc
