// Text in lines of a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace vantage::cli {

// What every terminal shows.
inline constexpr size_t kColumns = 80;

// `text` broken at blanks into lines of kColumns, from column `indent` on, where the caller is already; ends with a
// line feed. A word that is longer than a line stays whole.
std::string wrapped(const std::string& text, size_t indent);

}  // namespace vantage::cli
