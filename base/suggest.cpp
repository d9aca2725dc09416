#include "base/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace vantage {

namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Levenshtein distance, case-insensitive.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substitute = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  // Comparing an absurdly long word would cost time and cannot find a near candidate anyway.
  if (word.size() > 64) return {};
  std::string best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string near = nearest_name(word, candidates);
  if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
  constexpr size_t kMaxListed = 20;
  const bool all = candidates.size() <= kMaxListed;
  return fmt::format("; known: {}{}", fmt::join(candidates.first(std::min(candidates.size(), kMaxListed)), ", "),
                     all ? "" : ", ...");
}

std::string alternatives(std::span<const std::string_view> names, std::string_view prefix) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += prefix;
    text += names[i];
  }
  return text;
}

}  // namespace vantage
