// How long something took.
#pragma once

#include <chrono>

namespace vantage::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}
inline double milliseconds_since(Clock::time_point start) {
  return 1e3 * seconds_since(start);
}

}  // namespace vantage::bench
