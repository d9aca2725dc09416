#include "cli/progress_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace vantage::cli {

using namespace std::chrono_literals;

namespace {

// Long enough for what comes in bursts, and short enough to follow what becomes slower.
constexpr std::chrono::seconds kRecent = 30s;
constexpr std::chrono::milliseconds kLeast = 500ms;
constexpr size_t kLineColumns = 79, kWidestBar = 30;

std::string rate_text(double a_second) {
  if (a_second >= 100) return fmt::format("{:.0f}/s", a_second);
  if (a_second >= 0.1) return fmt::format("{:.1f}/s", a_second);
  return a_second * 60 >= 0.1 ? fmt::format("{:.1f}/min", a_second * 60) : fmt::format("{:.1f}/h", a_second * 3600);
}

std::string left_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 99.5 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return seconds < 99.5 * 3600 ? fmt::format("{:.0f} h", seconds / 3600)
                               : fmt::format("{:.0f} days", seconds / (24 * 3600));
}

}  // namespace

std::optional<double> RecentRate::after(uint64_t done, Time now) {
  if (!samples_.empty() && done < samples_.back().done) samples_.clear();  // something else is counted
  if (samples_.empty() || done > samples_.back().done) samples_.push_back({done, now});
  // Of what becomes more less often than that the last step still tells.
  while (samples_.size() > 2 && now - samples_[1].time > kRecent) samples_.pop_front();
  const Sample& first = samples_.front();
  if (done == first.done || now - first.time < kLeast) return std::nullopt;
  return static_cast<double>(done - first.done) / std::chrono::duration<double>(now - first.time).count();
}

std::string progress_line(const std::string& what, uint64_t done, uint64_t total, std::optional<double> rate) {
  std::string counts = fmt::format(" {}/{}", done, total);
  if (rate) counts += ", " + rate_text(*rate);
  if (rate && done < total) counts += fmt::format(", {} left", left_text(static_cast<double>(total - done) / *rate));
  const size_t taken = what.size() + std::string_view(" []").size() + counts.size();
  const size_t width = std::min(kWidestBar, kLineColumns - std::min(kLineColumns, taken));
  const double share = total == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<size_t>(share * static_cast<double>(width));
  const std::string line = fmt::format("{} [{:#<{}}{: <{}}]{}", what, "", filled, "", width - filled, counts);
  return line.substr(0, kLineColumns);
}

}  // namespace vantage::cli
