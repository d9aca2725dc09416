#include "hw/fpga/clock_limit.h"

#include <fmt/format.h>

#include <algorithm>

namespace vantage::fpga {

std::optional<std::string> clock_warning(double clock_mhz, const Board& board) {
  if (board.max_clock_mhz == 0 || clock_mhz <= board.max_clock_mhz) return std::nullopt;
  return fmt::format("a clock of {} MHz is more than the {} can have: at most {} MHz ({})", clock_mhz, board.name,
                     board.max_clock_mhz, board.part);
}

std::optional<std::string> clock_warning(const isa::Config& config, const std::vector<Board>& boards) {
  const std::string& target = config.keys().target;
  const auto is_meant = [&](const Board& board) {
    return board.name == target || board.name.starts_with(target + "-");
  };
  const bool names_some = std::any_of(boards.begin(), boards.end(), is_meant);
  const Board* fastest = nullptr;
  for (const Board& board : boards) {
    if (names_some && !is_meant(board)) continue;
    if (board.max_clock_mhz == 0) return std::nullopt;
    if (fastest == nullptr || board.max_clock_mhz > fastest->max_clock_mhz) fastest = &board;
  }
  if (fastest == nullptr || config.clock_mhz() <= fastest->max_clock_mhz) return std::nullopt;
  return fmt::format(
      "CLOCK_MHZ is {}, faster than any board {}: the {} has at most {} MHz; times are those of no hardware",
      config.clock_mhz(), names_some ? fmt::format("that TARGET {} names", target) : std::string("that is described"),
      fastest->name, fastest->max_clock_mhz);
}

}  // namespace vantage::fpga
