// What is to happen after a while unless something ends before: a heartbeat, the end of patience, a watchdog.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace vantage {

// Calls `ring` from a thread of its own once `after` has passed, and again after each duration that it returns, until
// it returns none or the object is destroyed, which waits for a call under way.
//
// Thread safety: one thread makes and destroys it; `ring` runs beside that one.
class Alarm {
 public:
  using Duration = std::chrono::steady_clock::duration;

  Alarm(Duration after, std::function<std::optional<Duration>()> ring);

 private:
  std::jthread thread_;
};

}  // namespace vantage
