#include "cli/one_line.h"

#include <fmt/format.h>

namespace vantage::cli {

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) {
      line += c;
    } else {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return line;
}

}  // namespace vantage::cli
