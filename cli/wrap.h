// Text in lines of a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vantage::cli {

// What every terminal shows.
inline constexpr size_t kColumns = 80;

// `text` broken at blanks into lines of kColumns, from column `indent` on, where the caller is already; ends with a
// line feed. A word that is longer than a line stays whole.
std::string wrapped(const std::string& text, size_t indent);

// "1 point", "2 points"; "1 program was", "2 programs were".
std::string counted(uint64_t count, const std::string& what);
std::string were(uint64_t count, const std::string& what);

// A name in so many columns: what tells it from others is at its end, so of a longer one that stays, behind "..".
std::string end_of(const std::string& name, size_t columns);

// Bytes in few columns: "9216 B", "2820 kB".
std::string amount(uint64_t bytes);

}  // namespace vantage::cli
