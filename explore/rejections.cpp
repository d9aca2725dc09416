#include "explore/rejections.h"

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
  const auto [rejection, count] = counted().front();
  fail("the space has no design{}: {} of {} points do not hold with '{}'{}{}{}", where, count, points, rejection.reason,
       rejection.detail.empty() ? "" : ", as in ", rejection.detail, remedy);
}

}  // namespace vantage::explore
