#include "cli/wrap.h"

#include <fmt/format.h>

#include <sstream>

namespace vantage::cli {

std::string wrapped(const std::string& text, size_t indent) {
  std::string result;
  size_t column = indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > kColumns) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result + "\n";
}

std::string end_of(const std::string& name, size_t columns) {
  return name.size() <= columns ? name : ".." + name.substr(name.size() - columns + 2);
}

std::string amount(uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  if (bytes < 10'000'000) return fmt::format("{} kB", bytes / 1000);
  return fmt::format("{} MB", bytes / 1'000'000);
}

std::string counted(uint64_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string were(uint64_t count, const std::string& what) {
  return counted(count, what) + (count == 1 ? " was" : " were");
}

}  // namespace vantage::cli
