// Which lines and branches of the RTL ran, from the files that Verilator's models write (RtlLibrary::write_coverage).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace vantage::test {

// A place in the RTL that runs or not, whatever the instance and the configuration: a block of lines, or one side of a
// branch, also a side that has no text.
struct CoveragePoint {
  std::string module;
  int line = 0;      // from 1
  int column = 0;    // tells points of one line apart; Verilator's, of no meaning beyond that
  std::string kind;  // Verilator's word for it: block, if, else, elsif, case
  auto operator<=>(const CoveragePoint&) const = default;
};

// How often each point ran.
using CoverageCounts = std::map<CoveragePoint, uint64_t>;

// Adds what `text`, a file's, counts of lines and branches. Throws Error, naming `name`, when it is no such file.
void add_coverage(std::string_view text, const std::string& name, CoverageCounts& counts);

// A point that no program reaches, and why that is as it should be: a line of tests/sim/rtl/coverage/unreached.json. It
// is known by its text, since lines move.
struct Unreached {
  std::string module, text, kind, reason;
};
// Throws Error that names the file and what is wrong.
std::vector<Unreached> load_unreached(const std::filesystem::path& path);

// The text of a source's lines, without what surrounds it, for comparison with Unreached::text.
std::vector<std::string> source_lines(std::string_view source);

}  // namespace vantage::test
