// What a core takes of an FPGA and how fast it may be clocked there, by Yosys: `synth_xilinx` for the family, its cells
// counted in the part's own terms, and static timing of its netlist where the part's delays are known. Place and route
// are not part of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "hw/fpga/timing/static_timing.h"
#include "hw/isa/config.h"

namespace vantage::fpga {

struct Resources {
  uint64_t luts = 0;  // logic, and those that serve as memory
  uint64_t flip_flops = 0;
  uint64_t dsps = 0;
  uint64_t block_rams = 0;  // of 36 Kbit; two of 18 Kbit share one
  bool operator==(const Resources&) const = default;
};

struct Synthesis {
  Resources used;
  std::optional<Timing> timing = {};  // of families whose delays are known
  double seconds = 0;                 // that it took
  bool operator==(const Synthesis&) const = default;
};

struct SynthesisOptions {
  std::filesystem::path cache;                       // results are kept here, by configuration, sources and family
  bool anew = false;                                 // even if the cache has a result
  std::function<void(const std::string&)> progress;  // called when Yosys is started
};

// `family`: xc7 or xcup. Minutes for a core of usual size. Throws Error with the end of Yosys's output when it fails.
Synthesis synthesize(const isa::Config& config, const std::string& family, const SynthesisOptions& options);

// Of several cores, in their order, `jobs` at a time; 0: as many as there are processor cores. Those that differ in
// their clocks alone are one core. `progress` is called by one thread at a time. When one fails no other is begun.
std::vector<Synthesis> synthesize(const std::vector<isa::Config>& configs, const std::string& family,
                                  const SynthesisOptions& options, size_t jobs);

// What Yosys is told to make the netlist of a core whose sources lie in its folder (rtl/sources.h): a script that
// leaves it as the design at hand, one module of the family's cells. `memory_map` are the commands that map memories to
// cells; empty: Yosys's own.
std::string netlist_script(const std::string& family, const std::string& memory_map = "");

// What an earlier synthesize() of this core left in the cache, by whichever Yosys; nothing when there was none. Starts
// no program, and takes a millisecond.
std::optional<Synthesis> kept_synthesis(const isa::Config& config, const std::string& family,
                                        const std::filesystem::path& cache);

// Counts the cells of `stat -json` of a design.
Resources count_cells(const Json& stat);

}  // namespace vantage::fpga
