#include "cli/progress.h"
#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace vantage::cli {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

// One whose line can be written over.
bool on_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

// A line that counts seconds while what it names is done.
class CountedLine {
 public:
  explicit CountedLine(std::string what) : what_(std::move(what)), start_(steady_clock::now()) {
    print_error("{} ...", what_);
    std::fflush(stderr);
    counter_ = std::jthread([this](const std::stop_token& stop) { count(stop); });
  }
  CountedLine(const CountedLine&) = delete;
  CountedLine& operator=(const CountedLine&) = delete;
  ~CountedLine() {
    counter_.request_stop();
    counter_.join();
    print_error("\n");
  }

 private:
  void count(const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any stopped;
    while (!stopped.wait_for(lock, stop, 1s, [&] { return stop.stop_requested(); })) {
      const auto passed = std::chrono::duration_cast<std::chrono::seconds>(steady_clock::now() - start_);
      print_error("\r{} ... {} s", what_, passed.count());
      std::fflush(stderr);
    }
  }

  std::string what_;
  steady_clock::time_point start_;
  std::jthread counter_;
};

}  // namespace

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)),
      total_(std::max<uint64_t>(total, 1)),
      on_terminal_(on_terminal()),
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
  print_error("\r{}\x1b[K", progress_line(what_, done, total_, rate_.after(done, now)));
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
}

std::function<void(const std::string&)> build_progress() {
  if (!on_terminal()) return [](const std::string&) {};
  return [line = std::make_shared<std::optional<CountedLine>>()](const std::string& what) {
    line->reset();
    line->emplace(what);
  };
}

}  // namespace vantage::cli
