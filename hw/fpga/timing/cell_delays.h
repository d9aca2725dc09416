// How long the cells and nets of an FPGA take, as data (configs/delays, docs/timing.md): what static timing knows of a
// part. All times are nanoseconds of the part's slow corner.
//
// Thread safety: reading is const.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"

namespace vantage::fpga {

// One way through a cell. Without `from` it begins at the clock's edge, without `to` it ends there, and `ns` is how
// long before that the signal must be stable.
struct CellPath {
  std::vector<std::string> from, to;  // pins: "A" for all bits, "CO[2]" for one
  double ns = 0;
  // Only of cells whose parameters have one of these values each.
  std::map<std::string, std::vector<std::string>> when;
};

struct CellRule {
  std::map<std::string, std::string> defaults;  // of parameters that a cell does not give
  std::vector<CellPath> paths;
};

// A net that is shorter than others because its ends lie beside each other. An empty list is any; a type may end with
// *.
struct LocalNet {
  std::vector<std::string> driver, out, sink, in;
  bool alone = false;  // only where it leads nowhere else
  double ns = 0;
};

struct CellDelays {
  std::string name, meaning, source;
  std::string family;  // as Yosys names it

  // A core whose speed on such parts is known, and what this model says of it.
  std::string calibration_core, calibration_source;
  double nominal_ns = 1, real_ns = 1;
  // What to multiply the model's times by.
  double calibration() const { return real_ns / nominal_ns; }

  // What lies outside of a core's ports, of a cycle.
  double input_ns = 0, output_ns = 0;

  // A net takes base + doubling * log2(fan-out), and more to or from cells that lie in columns of their own.
  double net_base = 0, net_doubling = 0, net_most = 0, far_ns = 0;
  std::vector<std::string> far_types;
  std::vector<LocalNet> local;

  std::map<std::string, CellRule, std::less<>> cells;  // by type

  // Throws Error naming `source`, the key, the value and what would be right.
  static CellDelays parse(std::string_view json_text, std::string_view source);
  // Of configs/delays, as it was when this was built; nothing when no part of this family is known.
  static std::optional<CellDelays> of_family(std::string_view family);
};

const EmbeddedFiles& delay_files();

// Whether `text` is `pattern`, or begins as it does where that ends with *.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace vantage::fpga
