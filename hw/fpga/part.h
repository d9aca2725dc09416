// What an FPGA has, without a board around it (configs/parts/*.json): enough to say whether a core fits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "hw/fpga/board.h"

namespace vantage::fpga {

struct Part {
  std::string name;
  std::string part;    // as Vivado names it, with package and speed grade
  std::string family;  // as Yosys names it: xc7, xcup
  uint64_t luts = 0;
  uint64_t flip_flops = 0;
  uint64_t dsps = 0;
  uint64_t block_rams = 0;  // of 36 Kbit
  std::string source = {};  // where these numbers come from

  bool operator==(const Part&) const = default;

  // The part of a board, which has the board's name.
  static Part of_board(const Board& board);
  // Each throws Error naming `source`, the key, the value and what would be right.
  static Part load(const std::filesystem::path& path);
  static Part parse(std::string_view json_text, std::string_view source);
};

// As files have it.
Json to_json(const Part& part);

}  // namespace vantage::fpga
