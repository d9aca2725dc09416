// "Did you mean" and "expected A, B or C" for names that people type: commands, options, keys, devices, memories.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vantage {

// The candidates that `word` may stand for, best first, three or four at most: those that are nearest by the letters
// that are wrong, left out, too many or swapped (up to a third of the word); or else those that it abbreviates, begins
// with, or is nearly a word of. Case, leading dashes, a colon with slashes at the end, and which of '-' and '_' stands
// between two words do not count.
std::vector<std::string> near_names(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'X'?" or, when nothing is near, "; known: A, B, C". Empty without candidates.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// "A, B or C", each with `prefix` before it and `suffix` behind it.
std::string alternatives(std::span<const std::string_view> names, std::string_view prefix = {},
                         std::string_view suffix = {});

}  // namespace vantage
