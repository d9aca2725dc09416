#include "base/one_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace vantage {

namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
}

}  // namespace

bool is_one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), is_control);
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (is_control(c)) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace vantage
