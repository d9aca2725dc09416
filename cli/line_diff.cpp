#include "cli/line_diff.h"

#include <cstdint>
#include <vector>

namespace vantage::cli {

namespace {

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
  const auto a = lines_of(before), b = lines_of(after);
  // common[i][j]: the most lines that a from i on and b from j on have in common, in order.
  std::vector<std::vector<uint32_t>> common(a.size() + 1, std::vector<uint32_t>(b.size() + 1, 0));
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string text;
  const auto add = [&](std::string_view mark, std::string_view line) {
    text += mark;
    text += line;
    text += '\n';
  };
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      add("  ", b[j]);
      ++i;
      ++j;
    } else if (i < a.size() && (j == b.size() || common[i + 1][j] >= common[i][j + 1])) {
      add("- ", a[i++]);
    } else {
      add("+ ", b[j++]);
    }
  }
  return text;
}

}  // namespace vantage::cli
