#include "hw/fpga/clock_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vantage::fpga {

std::optional<std::string> clock_warning(double clock_mhz, const Board& board) {
  if (board.max_clock_mhz == 0 || clock_mhz <= board.max_clock_mhz) return std::nullopt;
  return fmt::format("a clock of {} MHz is more than the {} can have: at most {} MHz ({})", clock_mhz, board.name,
                     board.max_clock_mhz, board.part);
}

namespace {

bool names(const isa::Config& config, const Board& board) {
  const std::string& target = config.keys().target;
  return board.name == target || board.name.starts_with(target + "-");
}

bool names_some(const isa::Config& config, const std::vector<Board>& boards) {
  return std::any_of(boards.begin(), boards.end(), [&](const Board& board) { return names(config, board); });
}

}  // namespace

std::optional<std::string> clock_warning(const isa::Config& config, const std::vector<Board>& boards) {
  const bool is_named = names_some(config, boards);
  const Board* fastest = nullptr;
  for (const Board& board : boards) {
    if (is_named && !names(config, board)) continue;
    if (board.max_clock_mhz == 0) return std::nullopt;
    if (fastest == nullptr || board.max_clock_mhz > fastest->max_clock_mhz) fastest = &board;
  }
  if (fastest == nullptr || config.clock_mhz() <= fastest->max_clock_mhz) return std::nullopt;
  return fmt::format(
      "CLOCK_MHZ is {}, faster than any board {}: the {} has at most {} MHz; times are those of no hardware",
      config.clock_mhz(),
      is_named ? fmt::format("that TARGET {} names", config.keys().target) : std::string("that is described"),
      fastest->name, fastest->max_clock_mhz);
}

double reached_ns(const Timing& timing, const CellDelays& delays) {
  return timing.worst_ns * delays.calibration();
}

double reached_mhz(const Timing& timing, const CellDelays& delays) {
  return std::floor(10'000 / reached_ns(timing, delays)) / 10;
}

std::optional<std::string> clock_warning(const isa::Config& config, const Timing& timing, const CellDelays& delays) {
  const double mhz = reached_mhz(timing, delays);
  if (config.clock_mhz() <= mhz) return std::nullopt;
  return fmt::format("CLOCK_MHZ is {}, and static timing gives {} MHz on {}; times are those of no hardware",
                     config.clock_mhz(), mhz, delays.name);
}

std::optional<CellDelays> delays_for(const isa::Config& config, const std::vector<Board>& boards) {
  const bool is_named = names_some(config, boards);
  for (const Board& board : boards) {
    if (is_named && !names(config, board)) continue;
    if (auto delays = CellDelays::of_family(board.family)) return delays;
  }
  return std::nullopt;
}

}  // namespace vantage::fpga
