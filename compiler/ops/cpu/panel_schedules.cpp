#include "compiler/ops/cpu/panel_schedules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ir/visitor.h"
#include "compiler/ops/cpu/tile.h"
#include "compiler/ops/matmul/panels.h"
#include "compiler/schedule/dependence.h"

namespace vantage::ops {

using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

// Blocks of the operators' formulas.
constexpr const char *kRows = "pack_rows", *kPadded = "padded", *kTile = "panel_tile";

std::vector<std::string> blocks_of(const Schedule& s) {
  std::vector<std::string> names;
  for (const ir::Stmt& stmt : schedule::all_blocks(s.function())) names.push_back(stmt.as<ir::Block>()->name);
  return names;
}

// Functions such as erf are too much code to be written out for every row.
bool calls_functions(const Schedule& s, const std::string& block) {
  struct Search final : ir::Visitor {
    using ir::Visitor::visit;
    bool found = false;
    void visit_call(const ir::Call& node) override {
      found = true;
      Visitor::visit_call(node);
    }
  } search;
  search.visit(schedule::block_at(schedule::path_to_block(s.function(), block)).body);
  return search.found;
}

// The extent of a loop around a block, counted from the innermost one.
int64_t extent(const Schedule& s, const std::string& block, size_t from_inside) {
  const std::vector<ir::Stmt> loops = schedule::loops_of(schedule::path_to_block(s.function(), block));
  const int64_t* value = ir::as_int(loops.at(loops.size() - 1 - from_inside).as<ir::For>()->extent);
  VANTAGE_CHECK(value != nullptr);
  return *value;
}

// The most of `count` that are a whole share of it and not more than `most`: a rest would need conditions among sums.
int64_t share(int64_t count, int64_t most) {
  int64_t parts = ceil_div(count, std::clamp<int64_t>(most, 1, count));
  while (count % parts != 0) ++parts;
  return count / parts;
}

// The last formula takes in all others, its neighbours first. Its name.
std::string inline_formulas(Schedule& s) {
  const std::vector<std::string> names = blocks_of(s);
  for (size_t i = names.size() - 1; i-- > 0;) {
    if (names[i] != kRows && names[i] != kPadded && names[i] != kTile) s.compute_inline(s.get_block(names[i]));
  }
  return names.back();
}

// Sums in registers, inside of `loop`; the tile's rows and columns are its last axes.
void compute_tile_at(Schedule& s, const LoopRV& loop, size_t depths) {
  const BlockRV tile = s.get_block(kTile);
  s.compute_at(tile, loop);
  s.set_scope(tile, "local");
  const std::vector<LoopRV> inner = s.get_loops(tile);
  const size_t rest = inner.size() - depths;
  std::vector<LoopRV> depth(inner.end() - static_cast<std::ptrdiff_t>(depths), inner.end());
  if (depths == 1) {
    const auto steps = s.split_by_factor(depth[0], kPanelStep);
    depth = {steps[0], steps[1]};
  }
  schedule_register_tile(s, tile, depth, inner[rest - 2], inner[rest - 1]);
}

}  // namespace

Schedule schedule_panel_matmul(ir::PrimFunc function, const cpu::Target& target, int threads) {
  check_threads(threads);
  Schedule s(std::move(function));
  const std::string last = inline_formulas(s);
  // Around a tile: [..., tile of rows, panel, row, column, depth].
  const int64_t depth = extent(s, kTile, 0), width = extent(s, kTile, 1), rows = extent(s, kTile, 2);
  const int64_t tiles = share(extent(s, kTile, 4), 2 * target.l2_bytes / (rows * depth * 4));
  const std::vector<LoopRV> loops = s.get_loops(s.get_block(last));
  const size_t stack = loops.size() - 2;
  const bool many_products = stack > 0 && extent(s, last, loops.size() - 1) >= threads;
  const auto row = s.split(loops[stack], {std::nullopt, tiles, rows});
  const auto column = s.split(loops[stack + 1], {std::nullopt, width});
  s.reorder({row[0], column[0], row[1], row[2], column[1]});
  if (!calls_functions(s, last)) s.unroll(row[2]);
  s.vectorize(column[1]);
  compute_tile_at(s, row[1], 1);
  const BlockRV pack = s.get_block(kRows);
  s.compute_at(pack, row[0]);
  s.vectorize(s.get_loops(pack).back());
  if (threads > 1) s.parallel(many_products ? loops[0] : column[0]);
  return s;
}

Schedule schedule_panel_conv2d(ir::PrimFunc function, const cpu::Target& target, int threads) {
  check_threads(threads);
  Schedule s(std::move(function));
  const std::string last = inline_formulas(s);
  // Around a tile: [image, panel, row, tile of pixels, pixel, channel, input channel, kernel's row, kernel's column].
  const int64_t channels = extent(s, kTile, 3), pixels = extent(s, kTile, 4), tiles = extent(s, kTile, 5);
  const int64_t height = extent(s, kTile, 6), images = extent(s, kTile, 8), depth = extent(s, kTile, 2);
  int64_t rows = share(height, target.l2_bytes / 2 / (4 * depth * pixels * tiles));
  if (threads > 1) rows = share(height, std::min(rows, ceil_div(images * height, int64_t{4} * threads)));
  const std::vector<LoopRV> loops = s.get_loops(s.get_block(last));
  const auto channel = s.split(loops[1], {std::nullopt, channels});
  const auto row = s.split(loops[2], {std::nullopt, rows});
  const auto pixel = s.split(loops[3], {std::nullopt, pixels});
  s.reorder({row[0], channel[0], row[1], pixel[0], pixel[1], channel[1]});
  s.vectorize(channel[1]);
  compute_tile_at(s, pixel[0], 3);
  const std::vector<std::string> names = blocks_of(s);
  if (std::find(names.begin(), names.end(), kPadded) != names.end()) {
    const BlockRV padded = s.get_block(kPadded);
    // Rows that two blocks read would be made by both: with threads all are made before.
    if (threads == 1) s.compute_at(padded, row[0]);
    const std::vector<LoopRV> inner = s.get_loops(padded);
    if (threads > 1) s.parallel(s.fuse({inner[0], inner[1]}));
    s.vectorize(s.split_by_factor(inner.back(), target.vector_bytes / 4)[1]);
  }
  if (threads > 1) {
    const bool many_blocks = images * ceil_div(height, rows) >= threads;
    s.parallel(many_blocks ? s.fuse({loops[0], row[0]}) : channel[0]);
  }
  return s;
}

}  // namespace vantage::ops
