// How products are cut into tiles, and their sums into parts: which sizes there are, and what of them each axis takes.
//
// Thread safety: functions without state.
#pragma once

#include <array>
#include <vector>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/ops/cuda/product_form.h"

namespace vantage::ops {

// The shortest sides of products that are made in tiles.
inline constexpr int64_t kSmallestSide = 8;
// Elements of a thread's that lie side by side, at the most.
inline constexpr int64_t kVector = 4;

// A side's tile: of all its elements a block makes `tile`, each thread `each` of them.
struct SideTile {
  int64_t tile = 1, each = 1;
};
struct ProductTile {
  std::array<SideTile, 2> sides;
  int64_t parts = 1;  // of the longest axis of the sum, by blocks of their own
};
// An axis' part of a side's tile.
struct AxisTile {
  int64_t virtual_threads = 1, threads = 1, each = 1;
  int64_t size() const { return virtual_threads * threads * each; }
};

// Those that fill themselves with a product to more than a half, and whose sums fit the registers of threads; the best
// to be tried first, by a rough model of what they take (product_cost.h).
std::vector<ProductTile> product_tiles(const ProductForm& form, const cuda::Architecture& architecture);
// What the axes of a side take of its tile.
std::vector<AxisTile> axis_tiles(const ProductForm::Side& side, const SideTile& tile);

}  // namespace vantage::ops
