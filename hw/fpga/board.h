// A board that a core may be put on: its part, what that part has, and where the core lies in its address map
// (configs/boards/*.json).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

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
  uint32_t registers = 0;   // byte address of the core's registers, as the processor sees them
  std::string memory_port;  // of the processing system, that the core's memory port leads to
  uint64_t interrupt = 0;   // number of the core's interrupt at the processor's controller

  // Each throws Error naming `source`, the key, the value and what would be right.
  static Board load(const std::filesystem::path& path);
  static Board parse(std::string_view json_text, std::string_view source);
};

}  // namespace vantage::fpga
