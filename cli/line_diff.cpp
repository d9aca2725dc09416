#include "cli/line_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vantage::cli {

namespace {

// A table of so many pairs of lines takes 64 MiB.
constexpr size_t kMostPairs = size_t{1} << 24;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after) {
  auto a = lines_of(before), b = lines_of(after);
  std::string text;
  const auto add = [&](std::string_view mark, std::string_view line) {
    text += mark;
    text += line;
    text += '\n';
  };
  // What both begin and end with needs no search.
  const size_t shorter = std::min(a.size(), b.size());
  size_t first = 0, last = 0;
  while (first < shorter && a[first] == b[first]) ++first;
  while (last < shorter - first && a[a.size() - 1 - last] == b[b.size() - 1 - last]) ++last;
  const std::vector<std::string_view> end(b.end() - static_cast<ptrdiff_t>(last), b.end());
  for (size_t i = 0; i < first; ++i) add("  ", b[i]);
  for (auto* lines : {&a, &b}) {
    lines->resize(lines->size() - last);
    lines->erase(lines->begin(), lines->begin() + static_cast<ptrdiff_t>(first));
  }

  // common[i][j]: the most lines that a from i on and b from j on have in common, in order. Where the table would be
  // too large, the lines are taken to have nothing in common.
  const bool searched = a.size() * b.size() <= kMostPairs;
  std::vector<std::vector<uint32_t>> common(searched ? a.size() + 1 : 0, std::vector<uint32_t>(b.size() + 1, 0));
  for (size_t i = searched ? a.size() : 0; i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (searched && i < a.size() && j < b.size() && a[i] == b[j]) {
      add("  ", b[j]);
      ++i;
      ++j;
    } else if (i < a.size() && (j == b.size() || !searched || common[i + 1][j] >= common[i][j + 1])) {
      add("- ", a[i++]);
    } else {
      add("+ ", b[j++]);
    }
  }
  for (std::string_view line : end) add("  ", line);
  return text;
}

std::string with_context(std::string_view marked, size_t context) {
  const auto lines = lines_of(marked);
  std::vector<bool> is_near(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].substr(0, 2) == "  ") continue;
    const size_t begin = i < context ? 0 : i - context;
    for (size_t k = begin; k < std::min(i + context + 1, lines.size()); ++k) is_near[k] = true;
  }
  std::string text;
  size_t left_out = 0;
  for (size_t i = 0; i <= lines.size(); ++i) {
    if (i < lines.size() && !is_near[i]) {
      ++left_out;
      continue;
    }
    if (left_out > 0) text += fmt::format("  ({} lines as before)\n", left_out);
    left_out = 0;
    if (i < lines.size()) text += fmt::format("{}\n", lines[i]);
  }
  return text;
}

}  // namespace vantage::cli
