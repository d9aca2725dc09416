#include "sim/profile/work.h"

#include <algorithm>

namespace vantage::sim {

Work& operator+=(Work& total, const Work& next) {
  if (next.in_tiles - next.useful > total.in_tiles - total.useful) total.paddings = next.paddings;
  total.useful += next.useful;
  total.in_tiles += next.in_tiles;
  return total;
}

Executed executed(const isa::Config& config, const isa::Counters& counters) {
  const uint64_t lanes = static_cast<uint64_t>(config.batch()) * static_cast<uint64_t>(config.block_out());
  if (counters.gemm_counter == 0) return {counters.alu_counter * lanes, counters.alu_counter != 0};
  return {2 * counters.gemm_counter * lanes * static_cast<uint64_t>(config.block_in()), false};
}

double padding_share(const Work& work, const Executed& executed) {
  if (executed.operations == 0) return 0;
  const uint64_t all = std::max(executed.operations, work.in_tiles);
  return std::max(0.0, 1 - static_cast<double>(work.useful) / static_cast<double>(all));
}

double left_out_share(const Work& work, const Executed& executed) {
  if (executed.operations == 0 || work.in_tiles == 0) return 0;
  return std::max(0.0, 1 - static_cast<double>(executed.operations) / static_cast<double>(work.in_tiles));
}

}  // namespace vantage::sim
