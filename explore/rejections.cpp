#include "explore/rejections.h"

#include <algorithm>
#include <functional>

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

}  // namespace vantage::explore
