// Whether a configuration's clock is one that hardware can have. Simulators count cycles and would take any: a time at
// a clock that no board reaches means nothing.
//
// Thread safety: functions without state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hw/fpga/board.h"
#include "hw/fpga/timing/cell_delays.h"
#include "hw/fpga/timing/static_timing.h"
#include "hw/isa/config.h"

namespace vantage::fpga {

// What to say of a clock that is faster than this board's max_clock_mhz; nothing when it is not, or no limit is known.
std::optional<std::string> clock_warning(double clock_mhz, const Board& board);

// The same for a configuration that need not be for one of these boards: faster than all of those that its TARGET names
// ("pynq" names pynq-z1 and pynq-z2) or, when it names none of them, than all there are.
std::optional<std::string> clock_warning(const isa::Config& config, const std::vector<Board>& boards);

// The same for a core whose timing is known: its configuration asks for more than it is expected to reach.
std::optional<std::string> clock_warning(const isa::Config& config, const Timing& timing, const CellDelays& delays);

// What parts like these are expected to reach, in nanoseconds: nominal times by the calibration.
double reached_ns(const Timing& timing, const CellDelays& delays);
// The clock of that, in tenths of a MHz, rounded down: one that is reached.
double reached_mhz(const Timing& timing, const CellDelays& delays);

// The delays by which such a configuration is judged: those of the first of the boards that its TARGET names, or of all
// where it names none, whose family has some.
std::optional<CellDelays> delays_for(const isa::Config& config, const std::vector<Board>& boards);

}  // namespace vantage::fpga
