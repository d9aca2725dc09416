#include "compiler/ops/pool/vta_pool.h"

#include "base/error.h"
#include "base/math.h"
#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/te/te.h"

namespace vantage::ops {

using namespace te;
using isa::Memory;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;
using te::Tensor;  // not the host's

ir::PrimFunc vta_max_pool(const VtaPool& p, const isa::Config& config) {
  const Conv2dShape s = p.places();
  check_conv2d_shape(s);
  if (config.out_bits() != 8) {
    fail("accumulators are loaded from 8 bits alone, but outputs of configuration {} have {}", config.name(),
         config.out_bits());
  }
  const int64_t n = ceil_div(p.batch, int64_t{config.batch()}), c = ceil_div(p.channels, int64_t{config.block_out()});
  const int batch = config.batch(), block = config.block_out();
  const DType acc = vta::element_type(Memory::kAcc, config);
  const Tensor a = placeholder({n, c, p.height, p.width, batch, block}, vta::element_type(Memory::kAcc8, config), "A");
  const Tensor pixels = compute(
      {n, c, s.padded_height(), s.padded_width(), batch, block},
      [&](Expr i, Expr o, Expr y, Expr x, Expr r, Expr k) {
        const Expr value = cast(acc, a(i, o, y - p.pad.top, x - p.pad.left, r, k));
        if (!p.pad.any()) return value;
        const Expr inside = y >= p.pad.top && y < p.height + p.pad.top && x >= p.pad.left && x < p.width + p.pad.left;
        return if_then_else(inside, value, 0);
      },
      "pixels");
  const ReduceAxis kh = reduce_axis(p.kernel_h, "kh"), kw = reduce_axis(p.kernel_w, "kw");
  const Tensor greatest = compute(
      {n, c, p.out_height(), p.out_width(), batch, block},
      [&](Expr i, Expr o, Expr y, Expr x, Expr r, Expr k) {
        const Expr row = y * p.stride.rows + Expr(kh) * p.dilation.rows;
        const Expr column = x * p.stride.columns + Expr(kw) * p.dilation.columns;
        return starting_from(ir::make_int(acc, p.least), max(pixels(i, o, row, column, r, k), {kh, kw}));
      },
      "greatest");
  const Tensor out = compute(
      greatest.shape(),
      [&](Expr i, Expr o, Expr y, Expr x, Expr r, Expr k) {
        return cast(vta::element_type(Memory::kOut, config), greatest(i, o, y, x, r, k));
      },
      "C");
  return create_prim_func({a, out}, "max_pool2d");
}

Schedule schedule_vta_pool(const VtaPool& pool, const VtaPoolTiling& t, const isa::Config& config) {
  Schedule s(vta_max_pool(pool, config));
  const std::string acc(vta::kAccScope);
  const BlockRV out = s.get_block("C"), greatest = s.get_block("greatest"), pixels = s.get_block("pixels");
  s.set_scope(greatest, acc);
  s.set_scope(pixels, acc);
  const auto loops = s.get_loops(out);  // n c h w row column
  const auto channels = s.split_by_factor(loops[1], t.channels);
  const auto rows = s.split_by_factor(loops[2], t.rows);
  s.reorder({loops[0], channels[0], rows[0], channels[1], rows[1], loops[3]});
  LoopRV tile = s.fuse({loops[0], channels[0], rows[0]});
  if (t.threads > 1) {
    const auto turns = s.split_by_factor(tile, t.threads);
    s.reorder({turns[1], turns[0]});
    s.bind(turns[1], "vthread");
    tile = turns[0];
  }
  s.compute_at(greatest, tile);
  s.compute_at(pixels, tile);
  if (t.double_buffer) s.double_buffer(pixels);
  // A place of the window after another, each for the whole tile.
  const auto around = s.get_loops(greatest);
  const std::vector<LoopRV> inner(around.end() - 8, around.end());  // n c h w row column kh kw
  s.reorder({inner[6], inner[7], inner[0], inner[1], inner[2], inner[3], inner[4], inner[5]});
  s.decompose_reduction(greatest, inner[6]);
  const auto copied = s.get_loops(pixels);
  s.pragma(copied[copied.size() - 6], "dma_copy");
  s.pragma(channels[1], "dma_copy");
  return s;
}

}  // namespace vantage::ops
