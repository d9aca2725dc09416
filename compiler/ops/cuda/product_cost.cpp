#include "compiler/ops/cuda/product_cost.h"

#include <algorithm>

#include "base/math.h"

namespace vantage::ops {

namespace {

// Instructions that a multiprocessor's schedulers issue in a cycle, for a warp each. Each takes its turn while others
// wait; so many more turns pass in which none can.
constexpr double kSchedulers = 4, kIdleWarps = 3;
// Instructions to fetch an element: its copy, its address, and whether it is there; and of a loop, for each step of it.
constexpr double kFetch = 6, kStepping = 2;
// How much longer everything takes where elements of tiles may lie outside, and each is asked about: where operands
// cannot be filled up with zeros.
constexpr double kGuard = 3.5;
// Registers of a thread beside its sums and what it multiplies.
constexpr int64_t kOtherRegisters = 40;
// What an H200's memory moves in a cycle, and what another kernel takes until it runs.
constexpr double kBytesPerCycle = 2400, kLaunch = 4000;

}  // namespace

double product_cycles(const ProductForm& form, const ProductTile& tile, const cuda::Architecture& architecture) {
  int64_t blocks = tile.parts, threads = 1, fetched = 0, operands = 0, sums = 1, results = 1, length = 1;
  double guards = 1;
  for (const ProductForm::Axis& axis : form.batch) {
    blocks *= axis.extent;
    results *= axis.extent;
  }
  for (size_t side = 0; side < 2; ++side) {
    const std::vector<AxisTile> axes = axis_tiles(form.sides[side], tile.sides[side]);
    for (size_t i = 0; i < axes.size(); ++i) {
      const int64_t extent = form.sides[side].axes[i].extent;
      blocks *= ceil_div(extent, axes[i].size());
      if (extent % axes[i].size() != 0 && !form.sides[side].axes[i].is_index) guards = kGuard;
      threads *= axes[i].threads;
    }
    fetched += tile.sides[side].tile;
    operands += tile.sides[side].each;
    sums *= tile.sides[side].each;
    results *= form.sides[side].extent();
  }
  for (const ProductForm::Axis& axis : form.reduce) length *= axis.extent;

  const auto of_products = static_cast<double>(sums) + static_cast<double>(operands) / kVector + kStepping;
  const double of_fetches = kFetch * static_cast<double>(fetched) / static_cast<double>(threads);
  const int64_t warps = ceil_div(threads, cuda::kWarpThreads);
  const int64_t registers = sums + 2 * operands + kOtherRegisters;
  const int64_t fitting = std::max<int64_t>(architecture.registers / (registers * warps * cuda::kWarpThreads), 1);
  const int64_t most_blocks = ceil_div(blocks, architecture.multiprocessors);  // of one multiprocessor
  const auto resident = static_cast<double>(std::min(most_blocks, fitting) * warps);
  const double pace = resident / (resident + kIdleWarps);
  const double cycles = static_cast<double>(most_blocks * warps) * static_cast<double>(length) /
                        static_cast<double>(tile.parts) * (of_products + of_fetches) / (kSchedulers * pace);
  if (tile.parts == 1) return guards * cycles;
  const double moved = 2.0 * static_cast<double>(results) * static_cast<double>(tile.parts * form.sums.bytes());
  return guards * cycles + moved / kBytesPerCycle + kLaunch;
}

}  // namespace vantage::ops
