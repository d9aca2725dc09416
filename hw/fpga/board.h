// A board that a core may be put on: its part, what that part has, where the core lies in its address map, and what a
// driver that runs there needs to know (configs/boards/*.json, docs/boards.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace vantage::fpga {

struct Board {
  std::string name;
  std::string part;        // as Vivado names it
  std::string family;      // as Yosys names it: xc7, xcup
  std::string board_part;  // vendor and name of Vivado's board files; may be empty
  // What the part has
  uint64_t luts = 0;
  uint64_t flip_flops = 0;
  uint64_t dsps = 0;
  uint64_t block_rams = 0;  // of 36 Kbit
  int max_clock_mhz = 0;    // no core can be clocked faster, by the part's data sheet; 0: not known
  uint32_t registers = 0;   // byte address of the core's registers, as the processor sees them
  std::string memory_port;  // of the processing system, that the core's memory port leads to
  uint64_t interrupt = 0;   // number of the core's interrupt at the processor's controller

  // What follows has defaults.
  std::vector<std::string> image_names;  // how its images call it: "Pynq-Z1"
  std::optional<uint32_t> idcode;        // of the part, as JTAG reads it
  std::vector<std::string> jtag;         // how openFPGALoader is told to reach it: {"--board", "pynq_z2"}
  uint32_t ps_clock_hz = 33'333'333;     // what the processing system's PLLs are fed with
  bool coherent = false;                 // the memory port sees the processor's caches
  double run_seconds = 10;               // a run that has not ended after so long never will
  // Memory that the kernel leaves alone, as with its argument mem=; none: 0 bytes.
  uint64_t reserved_address = 0;
  Bytes reserved_bytes;

  // Each throws Error naming `source`, the key, the value and what would be right.
  static Board load(const std::filesystem::path& path);
  static Board parse(std::string_view json_text, std::string_view source);
};

}  // namespace vantage::fpga
