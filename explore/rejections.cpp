#include "explore/rejections.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.h"

namespace vantage::explore {

void Rejections::add(const Rejection& rejection) {
  ++all_.emplace(rejection.reason, std::pair(rejection, uint64_t{0})).first->second.second;
}

std::vector<std::pair<Rejection, uint64_t>> Rejections::counted() const {
  std::vector<std::pair<Rejection, uint64_t>> counted;
  for (const auto& [reason, entry] : all_) counted.push_back(entry);
  std::ranges::stable_sort(counted, std::ranges::greater(), &std::pair<Rejection, uint64_t>::second);
  return counted;
}

void Rejections::refuse(uint64_t points, const std::string& where, const std::string& remedy) const {
  constexpr size_t kMostReasons = 4;
  std::string reasons;
  size_t left = kMostReasons;
  for (const auto& [rejection, count] : counted()) {
    if (left-- == 0) break;
    if (!reasons.empty()) reasons += "; ";
    reasons += fmt::format("{} of {} points ", count, points);
    if (rejection.reason.find('#') != std::string::npos) {  // for numbers that differ; an example has them
      reasons += "are none, such as: " + rejection.detail;
      continue;
    }
    reasons += fmt::format("do not hold with '{}'", rejection.reason);
    if (!rejection.detail.empty()) reasons += ", as in " + rejection.detail;
  }
  fail("the space has no design{}: {}{}", where, reasons, remedy);
}

}  // namespace vantage::explore
