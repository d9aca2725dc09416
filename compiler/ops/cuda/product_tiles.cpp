#include "compiler/ops/cuda/product_tiles.h"

#include <algorithm>

#include "base/math.h"
#include "compiler/ops/cuda/product_cost.h"

namespace vantage::ops {

using namespace ir;

namespace {

constexpr int64_t kMostHalves = 16;

constexpr SideTile k128 = {128, 8}, k64 = {64, 8}, k64By4 = {64, 4}, k32 = {32, 4}, k16 = {16, 2}, k8 = {8, 1};
// Of those that cost the same, the first.
constexpr std::array<SideTile, 2> kTiles[] = {{k128, k64},   {k64, k128}, {k128, k128}, {k64, k64}, {k64By4, k32},
                                              {k32, k64By4}, {k32, k32},  {k16, k32},   {k32, k16}, {k16, k16},
                                              {k8, k32},     {k32, k8},   {k8, k16},    {k16, k8},  {k8, k8}};
// A sum in more parts is added up by more memory traffic than it saves, and in shorter ones by steps that do not
// overlap.
constexpr int64_t kMostParts = 32, kShortestPart = 32, kPartUnit = 8;

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
      share *= length / static_cast<double>(ceil_div(axes[i].extent, sizes[i]) * sizes[i]);
    }
    // A little waste is cheaper than what many short rows cost.
    if (own > extent && own > 1 && own / 2 >= extent) continue;
    if (share > best_share * 1.1) best = sizes, best_share = share;
  }
  return best.empty() ? std::vector<int64_t>(count, 1) : best;
}

// A tile is filled to more than a half, and its sums fit the registers: those of halves take more than others, as they
// are computed in floats.
bool suits(const ProductForm& form, const std::array<SideTile, 2>& sides) {
  if (form.sums.is_narrow_float() && sides[0].each * sides[1].each > kMostHalves) return false;
  for (size_t side = 0; side < 2; ++side) {
    if (sides[side].tile > kSmallestSide && sides[side].tile >= 2 * form.sides[side].extent()) return false;
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

std::vector<ProductTile> product_tiles(const ProductForm& form, const cuda::Architecture& architecture) {
  const int64_t longest = form.longest().extent;
  std::vector<std::pair<double, ProductTile>> tiles;
  for (const auto& sides : kTiles) {
    if (!suits(form, sides)) continue;
    for (int64_t parts = 1; parts <= kMostParts; ++parts) {
      if (longest % (parts * (parts == 1 ? 1 : kPartUnit)) != 0) continue;
      if (parts > 1 && longest / parts < kShortestPart) continue;
      const ProductTile tile = {sides, parts};
      tiles.emplace_back(product_cycles(form, tile, architecture), tile);
    }
  }
  std::ranges::stable_sort(tiles, {}, [](const auto& tile) { return tile.first; });
  std::vector<ProductTile> result;
  for (const auto& [cycles, tile] : tiles) result.push_back(tile);
  return result;
}

}  // namespace vantage::ops
