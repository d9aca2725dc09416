#include "compiler/ops/cpu/tile.h"

#include <algorithm>

#include "base/error.h"
#include "base/math.h"

namespace vantage::ops {

using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

// So many sums at once keep the multipliers busy: their latency times their rate, and a bit.
constexpr int64_t kBusySums = 10;

// The share of the multipliers' time that is useful, roughly: products and loads share the way into the core, and sums
// wait for each other when there are fewer than a multiplier's latency times its rate.
double speed(int64_t rows, int64_t tile, int64_t vectors) {
  const double useful = static_cast<double>(rows) / static_cast<double>(round_up(rows, tile));
  const auto products = static_cast<double>(tile * vectors);
  const auto loads = static_cast<double>(tile + vectors);
  return useful * products / (products + 0.25 * loads) * std::min(1.0, products / kBusySums);
}

}  // namespace

void check_threads(int threads) {
  if (threads < 1) fail("a schedule is for {} threads, expected at least 1", threads);
}

RegisterTile choose_register_tile(int64_t rows, int64_t columns, const cpu::Target& target) {
  const int64_t lanes = target.vector_bytes / 4;
  // Two vectors of columns where there are registers for them, three on processors with many short ones; more where
  // there are few rows.
  int64_t wanted = target.vector_registers >= 32 && lanes == 4 ? 3 : 2;
  if (rows * wanted < kBusySums) wanted = std::min<int64_t>(ceil_div(kBusySums, rows), target.vector_registers / 4);
  const int64_t vectors = std::min(wanted, ceil_div(columns, lanes));
  // A register for each vector of the columns' operand, one for what is broadcast.
  const int64_t largest = (target.vector_registers - vectors - 1) / vectors;
  int64_t best = 1;
  for (int64_t tile = 2; tile <= largest; ++tile) {
    if (speed(rows, tile, vectors) > speed(rows, best, vectors)) best = tile;
  }
  return {best, vectors * lanes};
}

void schedule_register_tile(Schedule& s, const BlockRV& tile, const std::vector<LoopRV>& depth, const LoopRV& row,
                            const LoopRV& column) {
  std::vector<LoopRV> order = depth;
  order.insert(order.end(), {row, column});
  s.reorder(order);
  s.unroll(row);
  s.vectorize(column);
  const std::vector<LoopRV> zero = s.get_loops(s.decompose_reduction(tile, depth[0]));
  s.unroll(zero[zero.size() - 2]);
  s.vectorize(zero.back());
}

void schedule_lane_sums(Schedule& s, const BlockRV& sums, const std::vector<LoopRV>& depth, const LoopRV& column) {
  std::vector<LoopRV> order = depth;
  order.push_back(column);
  s.reorder(order);
  s.vectorize(column);
  s.vectorize(s.get_loops(s.decompose_reduction(sums, depth[0])).back());
}

}  // namespace vantage::ops
