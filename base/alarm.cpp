#include "base/alarm.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace vantage {

Alarm::Alarm(Duration after, std::function<std::optional<Duration>()> ring)
    : thread_([after, ring = std::move(ring)](const std::stop_token& stop) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any stopped;
        for (std::optional<Duration> next = after; next; next = ring()) {
          stopped.wait_for(lock, stop, *next, [] { return false; });
          if (stop.stop_requested()) return;
        }
      }) {}

}  // namespace vantage
