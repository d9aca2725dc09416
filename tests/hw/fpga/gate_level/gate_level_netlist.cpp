#include "tests/hw/fpga/gate_level/gate_level_netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/cache_work.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/trusted_file.h"
#include "hw/fpga/synthesis.h"
#include "hw/isa/rtl_package.h"
#include "hw/rtl/sources.h"
#include "tests/support/temporary.h"

namespace vantage::test {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kLargest{uint64_t{1} << 30};
constexpr const char* kFamily = "xc7";

// What Yosys brings along for Xilinx's parts.
fs::path xilinx_folder() {
  std::string binary = run_tool({"sh", "-c", "readlink -f $(command -v yosys)"}, fs::current_path(), "yosys");
  binary = binary.substr(0, binary.find('\n'));
  return fs::path(binary).parent_path().parent_path() / "share" / "yosys" / "xilinx";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

// Yosys's map of block RAMs, mended. Equal to the installed one where that needs no mending.
std::string block_ram_map() {
  return replaced(read_file(xilinx_folder() / "brams_xc6v_map.v", kLargest), ".DIPBDIP(PORT_W_WIDTH == 71 ?",
                  ".DIPBDIP(PORT_W_WIDTH == 72 ?");
}

// What Yosys 0.23's synth_xilinx does for this family where it maps memories, with a map from the script's folder.
constexpr const char* kMemoryMap =
    "memory_libmap -logic-cost-rom 0.015625 -lib +/xilinx/lutrams_xc5v.txt -lib +/xilinx/brams_xc4v.txt -D HAS_SIZE_36"
    " -D HAS_CASCADE -D HAS_MIXWIDTH_SDP\n"
    "techmap -map +/xilinx/lutrams_xc5v_map.v\n"
    "techmap -map block_ram_map.v\n";

// Names that nothing needs go, as they cost the simulator time.
std::string script(const NetlistOptions& options) {
  return fpga::netlist_script(kFamily, options.as_yosys_maps ? "" : kMemoryMap) +
         "opt_clean -purge\n"
         "write_verilog -noattr netlist.v\n";
}

std::string run_yosys(const isa::Config& config, const NetlistOptions& options, const fs::path& folder) {
  if (options.progress) options.progress("synthesizing " + config.name() + " (minutes)");
  rtl::write_sources(config, folder);
  write_file(folder / "block_ram_map.v", block_ram_map());
  write_file(folder / "brams_defs.vh", read_file(xilinx_folder() / "brams_defs.vh", kLargest));
  write_file(folder / "synth.ys", script(options));
  run_tool({"yosys", "-q", "synth.ys"}, folder, "yosys");
  return read_file(folder / "netlist.v", kLargest);
}

// The contents of block RAMs come in parameters of their own, hundreds for each. The core gives none, so that they hold
// zeros, and the model has no such parameters.
std::string without_contents(const std::string& netlist) {
  std::string out;
  out.reserve(netlist.size());
  std::istringstream lines(netlist);
  for (std::string line; std::getline(lines, line);) {
    const size_t dot = line.find_first_not_of(' ');
    const bool contents = dot != std::string::npos &&
                          (line.compare(dot, 6, ".INIT_") == 0 || line.compare(dot, 7, ".INITP_") == 0) &&
                          line.find("(256'h") != std::string::npos;
    if (!contents) {
      out += line + '\n';
      continue;
    }
    const size_t value = line.find("256'h") + 5;
    const size_t end = line.find(')', value);
    if (line.find_first_not_of("0x", value) != end) fail("the netlist has a memory with contents: {}", line);
  }
  return out;
}

// Yosys's models, but the two that are empty.
std::string cells() {
  std::istringstream lines(read_file(xilinx_folder() / "cells_sim.v", kLargest));
  std::string out;
  bool skipped = false;
  for (std::string line; std::getline(lines, line);) {
    skipped = skipped || line.starts_with("module RAMB18E1 ") || line.starts_with("module RAMB36E1 ");
    if (!skipped) out += line + '\n';
    if (line.starts_with("endmodule")) skipped = false;
  }
  return out + read_file(source_dir() / "tests" / "hw" / "fpga" / "gate_level" / "block_ram.v", kLargest);
}

}  // namespace

std::string gate_level_netlist(const isa::Config& config, const NetlistOptions& options) {
  uint64_t hash = fnv1a(run_tool({"yosys", "-V"}, fs::current_path(), "yosys") + script(options) + block_ram_map());
  hash = fnv1a(isa::rtl_package(config), hash);
  for (const EmbeddedFile& source : rtl::sources()) {
    if (!source.name.ends_with(".vlt")) hash = fnv1a(source.text, hash);  // those are Verilator's
  }
  const fs::path path = options.cache / "gate_level" / fmt::format("{}-{:016x}.v", config.name(), hash);
  if (!fs::exists(path)) {
    CacheWork work(path, options.progress);
    if (!fs::exists(path)) write_trusted_file(path, run_yosys(config, options, work.new_folder()));
  }
  return without_contents(read_trusted_file(path, kLargest)) + cells();
}

}  // namespace vantage::test
