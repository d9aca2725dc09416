#include "base/shell_word.h"

#include <algorithm>
#include <cctype>

namespace vantage {

namespace {

bool is_plain(unsigned char c) {
  return std::isalnum(c) != 0 || std::string_view("_-./:=,+@%").find(static_cast<char>(c)) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) c == '\'' ? word += "'\\''" : word += c;
  return word + "'";
}

}  // namespace vantage
