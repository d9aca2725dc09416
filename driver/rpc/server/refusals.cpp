#include "driver/rpc/server/refusals.h"

#include <fmt/format.h>

namespace vantage::rpc {

namespace {

constexpr auto kInterval = std::chrono::seconds(1);

}  // namespace

void Refusals::add(const std::string& kind, const std::string& line) {
  {
    const std::lock_guard lock(mutex_);
    ++total_;
    const auto now = Clock::now();
    const auto [entry, is_new] = kinds_.try_emplace(kind);
    if (!is_new && now - entry->second.said < kInterval) {
      ++entry->second.since;
      entry->second.last = line;
      return;
    }
    entry->second.said = now;
  }
  log_(line);
}

void Refusals::look() {
  std::vector<std::string> lines;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    for (auto kind = kinds_.begin(); kind != kinds_.end();) {
      Kind& counted = kind->second;
      if (now - counted.said < kInterval) {
        ++kind;
      } else if (counted.since == 0) {
        kind = kinds_.erase(kind);  // so that there are only those of the last second
      } else {
        const std::string others = counted.since == 1 ? "" : fmt::format(" (and {} more like it)", counted.since - 1);
        lines.push_back(counted.last + others);
        counted.since = 0;
        counted.said = now;
        ++kind;
      }
    }
  }
  for (const std::string& line : lines) log_(line);
}

uint64_t Refusals::total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

}  // namespace vantage::rpc
