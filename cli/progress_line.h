// The line of a bar: how far something is, how fast it goes, and how long it will take.
//
// Thread safety: values, and a function without state.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace vantage::cli {

// How fast something has become more since some time ago. What there was at first does not count.
class RecentRate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // A second; nothing as long as there is too little to tell. REQUIRES: times do not decrease.
  std::optional<double> after(uint64_t done, Time now);

 private:
  struct Sample {
    uint64_t done;
    Time time;
  };

  std::deque<Sample> samples_;  // of each time that it was more, the oldest first
};

// "designs [####      ] 12/90, 3.1/s, 25 s left", in at most 79 columns, so that no terminal breaks it.
std::string progress_line(const std::string& what, uint64_t done, uint64_t total, std::optional<double> rate);

}  // namespace vantage::cli
