// What is under way, on stderr: shown only on a terminal and only once a second has passed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "cli/progress_line.h"

namespace vantage::cli {

// A bar for what is counted (progress_line.h).
class Progress {
 public:
  Progress(std::string what, uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // wipes the line

  void advance(uint64_t done);                  // `done` of `total`
  void advance(uint64_t done, uint64_t total);  // when the total is known only now

 private:
  std::string what_;
  uint64_t total_;
  bool on_terminal_;
  bool shown_ = false;
  RecentRate rate_;  // of what is done after the first second: what was known before is gone through in that
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

// Tells what a build is doing, one line each, with the seconds that it has taken so far; the last one is counted until
// the function ends.
std::function<void(const std::string&)> build_progress();

}  // namespace vantage::cli
