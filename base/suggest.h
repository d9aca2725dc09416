// "Did you mean" and "expected A, B or C" for names that people type: configuration keys, device schemes, memories.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vantage {

// The candidate nearest to `word` by edit distance, or an empty string when none is near (more than a third of
// the word would have to change).
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'X'?" or, when nothing is near, "; known: A, B, C".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// "A, B or C", each with `prefix` before it.
std::string alternatives(std::span<const std::string_view> names, std::string_view prefix = {});

}  // namespace vantage
