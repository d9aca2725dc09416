#include "compiler/ops/cuda/product_tiles.h"

#include <algorithm>

#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using namespace ir;

namespace {

constexpr int64_t kMostHalves = 16;

constexpr SideTile k128 = {128, 8}, k64 = {64, 8}, k64By4 = {64, 4}, k32 = {32, 4}, k16 = {16, 2}, k8 = {8, 1};
// From the most products for each element fetched to the least; but before the largest come those of which there are
// more at once, which a GPU shares out more evenly.
constexpr ProductTile kTiles[] = {{k128, k64},   {k64, k128}, {k128, k128}, {k64, k64}, {k64By4, k32},
                                  {k32, k64By4}, {k32, k32},  {k16, k32},   {k32, k16}, {k16, k16},
                                  {k8, k32},     {k32, k8},   {k8, k16},    {k16, k8},  {k8, k8}};

int64_t pieces(int64_t extent, int64_t size) {
  return (extent + size - 1) / size;
}

// How much of a side's tile each of its axes takes, so that few elements of tiles lie outside: the last one as many as
// possible, of equals.
std::vector<int64_t> axis_sizes(const std::vector<ProductForm::Axis>& axes, size_t count, int64_t tile) {
  if (count == 0) return {};
  const int64_t extent = axes[count - 1].extent;
  if (count == 1) return {tile};
  std::vector<int64_t> best;
  double best_share = -1;
  for (int64_t own = tile; own >= 1; own /= 2) {
    std::vector<int64_t> sizes = axis_sizes(axes, count - 1, tile / own);
    sizes.push_back(own);
    double share = 1;
    for (size_t i = 0; i < count; ++i) {
      const auto length = static_cast<double>(axes[i].extent);
      share *= length / static_cast<double>(pieces(axes[i].extent, sizes[i]) * sizes[i]);
    }
    // A little waste is cheaper than what many short rows cost.
    if (own > extent && own > 1 && own / 2 >= extent) continue;
    if (share > best_share * 1.1) best = sizes, best_share = share;
  }
  return best.empty() ? std::vector<int64_t>(count, 1) : best;
}

int64_t blocks_of(const ProductForm& form, const ProductTile& tile) {
  int64_t blocks = 1;
  for (const ProductForm::Axis& axis : form.batch) blocks *= axis.extent;
  for (size_t side = 0; side < 2; ++side) {
    const std::vector<AxisTile> tiles = axis_tiles(form.sides[side], tile.sides[side]);
    for (size_t i = 0; i < tiles.size(); ++i) blocks *= pieces(form.sides[side].axes[i].extent, tiles[i].size());
  }
  return blocks;
}

// A tile is filled to more than a half, and its sums fit the registers: those of halves take more than others, as they
// are computed in floats.
bool suits(const ProductForm& form, const ProductTile& tile) {
  if (form.sums.is_narrow_float() && tile.sides[0].each * tile.sides[1].each > kMostHalves) return false;
  for (size_t side = 0; side < 2; ++side) {
    if (tile.sides[side].tile > kSmallestSide && tile.sides[side].tile >= 2 * form.sides[side].extent()) return false;
  }
  return true;
}

}  // namespace

std::vector<AxisTile> axis_tiles(const ProductForm::Side& side, const SideTile& tile) {
  const std::vector<int64_t> sizes = axis_sizes(side.axes, side.axes.size(), tile.tile);
  std::vector<AxisTile> result(sizes.size());
  int64_t each = tile.each;
  for (size_t i = sizes.size(); i-- > 0;) {
    const int64_t own = std::min(each, sizes[i]);
    each /= own;
    // Neighbouring threads make neighbouring vectors; the rest of what each makes lies farther away.
    result[i].each = std::min(own, kVector);
    result[i].virtual_threads = own / result[i].each;
    result[i].threads = sizes[i] / own;
  }
  return result;
}

std::vector<ProductTile> product_tiles(const ProductForm& form) {
  std::vector<ProductTile> tiles;
  std::ranges::copy_if(kTiles, std::back_inserter(tiles), [&](const ProductTile& tile) { return suits(form, tile); });
  // Those with enough blocks first; of the others those with most.
  std::ranges::stable_sort(tiles, std::greater(),
                           [&](const ProductTile& tile) { return std::min(blocks_of(form, tile), kBusyBlocks); });
  return tiles;
}

}  // namespace vantage::ops
