#include "cli/progress.h"
#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace vantage::cli {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)),
      total_(std::max<uint64_t>(total, 1)),
      on_terminal_(::isatty(STDERR_FILENO) != 0),
      start_(steady_clock::now()) {}

Progress::~Progress() {
  if (shown_) print_error("\r\x1b[K");
}

void Progress::advance(uint64_t done, uint64_t total) {
  total_ = std::max<uint64_t>(total, 1);
  advance(done);
}

void Progress::advance(uint64_t done) {
  const auto now = steady_clock::now();
  if (!on_terminal_ || now - start_ < 1s || now - last_ < 100ms) return;
  constexpr uint64_t kWidth = 30;
  const uint64_t filled = done * kWidth / total_;
  print_error("\r{} [{:#<{}}{: <{}}] {}/{}", what_, "", filled, "", kWidth - filled, done, total_);
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
}

std::function<void(const std::string&)> build_progress() {
  return [](const std::string& what) {
    if (::isatty(STDERR_FILENO) != 0) print_error("{} ...\n", what);
  };
}

}  // namespace vantage::cli
