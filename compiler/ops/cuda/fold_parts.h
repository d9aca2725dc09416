// Reductions in parts, whose results another block folds.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Results that are few enough to have several threads each, in any case.
inline constexpr int64_t kFewResults = 8192;
// What is left of the parts of many threads is folded to so many before the last step.
inline constexpr int64_t kLastParts = 16;

// How many elements a result is folded from.
int64_t fold_length(schedule::Schedule& s, const std::string& block);
// The threads that share a fold of so many elements: a power of two.
int64_t threads_of_fold(int64_t length);

// Partial results, one for each of `parts`, by a block of its own, whose name is returned. The given block folds these
// from here on. Dimension `part_axis` of the partial results counts them. Each folds every `parts`th element, or so
// many `lanes` of them that lie side by side.
std::string fold_in_parts(schedule::Schedule& s, const std::string& block, int64_t parts, int64_t part_axis,
                          int64_t lanes = 1);
// The reduction by `threads` parts, then by fewer. The new blocks, in order.
std::vector<std::string> fold_by_threads(schedule::Schedule& s, const std::string& block, int64_t threads);

}  // namespace vantage::ops
