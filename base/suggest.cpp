#include "base/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>

namespace vantage {

namespace {

// What of a name counts when two are compared.
std::string plain(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  while (name.ends_with(':') || name.ends_with('/')) name.remove_suffix(1);
  std::string result;
  for (const char c : name) {
    result += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

// The letters to insert, remove, change or swap with their neighbour (optimal string alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// How many letters may be wrong. A single letter that is wrong says nothing.
size_t tolerance(std::string_view word) {
  return word.size() == 1 ? 0 : std::max<size_t>(1, word.size() / 3);
}

// `shorter` is what is left of `longer`, as "cfg" of "config".
bool is_left_of(std::string_view shorter, std::string_view longer) {
  if (shorter.size() < 3 || shorter.size() > longer.size() || shorter[0] != longer[0]) return false;
  for (const char c : shorter) {
    const size_t at = longer.find(c);
    if (at == std::string_view::npos) return false;
    longer.remove_prefix(at + 1);
  }
  return true;
}

bool begins_alike(std::string_view word, std::string_view name) {
  return name.starts_with(word) || (name.size() > 1 && word.starts_with(name));
}

// One is left of the other, the word is nearly one of the name's, or both have the same beginning for the most part.
bool resembles(std::string_view word, std::string_view name) {
  if (is_left_of(word, name) || is_left_of(name, word)) return true;
  constexpr size_t kWord = 4;  // letters; fewer are found anywhere
  for (size_t dash = name.find('-'), begin = 0; begin < name.size() && word.size() >= kWord;) {
    const std::string_view part = name.substr(begin, dash - begin);
    if (part.size() >= kWord && (part.starts_with(word) || edit_distance(word, part) <= tolerance(word))) return true;
    begin = dash == std::string_view::npos ? name.size() : dash + 1;
    dash = name.find('-', begin);
  }
  const auto [end, other] = std::mismatch(word.begin(), word.end(), name.begin(), name.end());
  const auto common = static_cast<size_t>(end - word.begin());
  return common >= kWord && 3 * common >= 2 * name.size();
}

}  // namespace

std::vector<std::string> near_names(std::string_view word, std::span<const std::string> candidates) {
  constexpr size_t kLongest = 64;  // comparing more would cost time and find nothing
  // More are a list, and no suggestion. Names that share a word may be four: two keys with two units each.
  constexpr size_t kMostNear = 3, kMostSimilar = 4;
  const std::string wanted = plain(word);
  if (wanted.empty() || wanted.size() > kLongest) return {};
  size_t best = tolerance(wanted);
  std::vector<std::string> near, alike, similar;
  for (const std::string& candidate : candidates) {
    const std::string name = plain(candidate);
    if (name.empty() || name.size() > kLongest) continue;
    const size_t distance = edit_distance(wanted, name);
    if (distance < best) near.clear();
    if (distance <= best) {
      best = distance;
      near.push_back(candidate);
    }
    if (begins_alike(wanted, name)) {
      alike.push_back(candidate);
    } else if (resembles(wanted, name)) {
      similar.push_back(candidate);
    }
  }
  for (std::vector<std::string>& found : {std::ref(near), std::ref(alike), std::ref(similar)}) {
    const size_t most = &found == &similar ? kMostSimilar : kMostNear;
    if (!found.empty() && found.size() <= most) return std::move(found);
  }
  return {};
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  if (candidates.empty()) return {};
  const std::vector<std::string> near = near_names(word, candidates);
  if (!near.empty()) {
    return fmt::format("; did you mean {}?",
                       alternatives(std::vector<std::string_view>(near.begin(), near.end()), "'", "'"));
  }
  constexpr size_t kMaxListed = 30;
  const bool all = candidates.size() <= kMaxListed;
  return fmt::format("; known: {}{}", fmt::join(candidates.first(std::min(candidates.size(), kMaxListed)), ", "),
                     all ? "" : ", ...");
}

std::string alternatives(std::span<const std::string_view> names, std::string_view prefix, std::string_view suffix) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += prefix;
    text += names[i];
    text += suffix;
  }
  return text;
}

}  // namespace vantage
