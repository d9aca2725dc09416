// The netlist that synthesis makes of a core, as Verilog that a simulator can run.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "hw/isa/config.h"

namespace vantage::test {

struct NetlistOptions {
  std::filesystem::path cache;  // netlists are kept here, by configuration, sources and script
  // Memories as Yosys itself maps them. Yosys 0.23 gives a simple dual-port RAMB36E1 that is 72 bits wide its lower
  // four parity bits for its upper four as well, so what such a memory stores is wrong; else that is mended.
  bool as_yosys_maps = false;
  std::function<void(const std::string&)> progress;  // called when Yosys is started; may be empty
};

// Yosys's netlist of the module vta by the script of hw/fpga/synthesis.h for series 7, followed by models of its cells:
// Yosys's own, but for block RAMs, of which it has none (block_ram.v). Flip-flops and memories in lookup tables begin
// unknown, block RAMs with zeros. Minutes, unless the cache has it. Throws Error.
std::string gate_level_netlist(const isa::Config& config, const NetlistOptions& options);

}  // namespace vantage::test
