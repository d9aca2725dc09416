// How programs of designs are found: with which search, and for one design or for many.
//
// Thread safety: constants and functions without state.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compiler/ops/conv2d/vta_search.h"

namespace vantage::explore {

struct Effort {
  std::string_view name;
  ops::SearchEffort search;
  bool is_shared;  // programs of designs with more room serve those with less (program_finder.h)
};

inline constexpr std::array kEfforts = {
    Effort{"brief", ops::SearchEffort::kBrief, true}, Effort{"shared", ops::SearchEffort::kQuick, true},
    Effort{"quick", ops::SearchEffort::kQuick, false}, Effort{"thorough", ops::SearchEffort::kThorough, false}};

inline constexpr auto kEffortNames = [] {
  std::array<std::string_view, kEfforts.size()> names;
  std::ranges::transform(kEfforts, names.begin(), &Effort::name);
  return names;
}();

// REQUIRES: it is one of these.
inline const Effort& find_effort(std::string_view name) {
  const auto* found = std::ranges::find(kEfforts, name, &Effort::name);
  if (found == kEfforts.end()) throw InternalError(std::string(name) + " is no effort");
  return *found;
}

}  // namespace vantage::explore
