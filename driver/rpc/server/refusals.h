// What a server refuses, for its log: the first of a kind at once, then once a second how many there were, however many
// come.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace vantage::rpc {

// A line of a server's log: who, in which session, and what.
using ServerLog = std::function<void(const std::string& line)>;

class Refusals {
 public:
  explicit Refusals(ServerLog log) : log_(std::move(log)) {}

  // `kind` is what is counted together; `line` is the one that may be logged.
  void add(const std::string& kind, const std::string& line);
  // To be called a few times a second: says what was counted.
  void look();

  uint64_t total() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Kind {
    Clock::time_point said;
    uint64_t since = 0;  // and not said yet
    std::string last;
  };

  const ServerLog log_;
  mutable std::mutex mutex_;  // of what follows
  std::map<std::string, Kind> kinds_;
  uint64_t total_ = 0;
};

}  // namespace vantage::rpc
