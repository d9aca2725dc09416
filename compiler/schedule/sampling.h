// Drawing the decisions of a schedule.
#pragma once

#include <cstdint>
#include <random>

#include "compiler/schedule/trace.h"

namespace vantage::schedule {

// Factors of `extent`, outermost first: from the innermost on, each is drawn evenly from the divisors of what is left,
// and the outermost takes the rest. Throws Error for fewer than one part, a limit below 1, or an extent beyond
// kLargestExtent, whose divisors would take long to find.
inline constexpr int64_t kLargestExtent = int64_t{1} << 40;
Decision draw_perfect_tile(int64_t extent, int64_t parts, int64_t max_innermost, std::mt19937_64& random);

// The place of one of the candidates. Throws Error unless the probabilities can be some.
int64_t draw_categorical(const Probabilities& probabilities, std::mt19937_64& random);

// Each throws Error, beginning with the primitive's name, for a decision that could not have been drawn.
void require_perfect_tile(const Decision& decision, int64_t extent, int64_t parts, int64_t max_innermost);
void require_categorical(int64_t decision, const Probabilities& probabilities, size_t candidates);

}  // namespace vantage::schedule
