#include "compiler/ops/conv2d/cpu_conv2d.h"

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/conv2d/cpu_packed_conv2d.h"
#include "compiler/ops/cpu/tile.h"

namespace vantage::ops {

using namespace te;
using schedule::Schedule;
using te::Tensor;  // not the host's

namespace {

void check(const CpuConv2d& conv) {
  check_conv2d_shape(conv.shape);
  if (conv.dtype != kFloat32 && conv.dtype != kInt8) {
    fail("conv2d: the type is {}, expected float32 or int8", ir::name(conv.dtype));
  }
  if (!conv.shape.is_plain()) fail("a convolution on a processor has one stride and one pad, and no dilation");
  if (!conv.epilogue) return;
  if (conv.dtype != kInt8) fail("conv2d: only int8 has an epilogue, the type is {}", ir::name(conv.dtype));
  check_epilogue(*conv.epilogue);
  const Epilogue plain{conv.epilogue->bias, conv.epilogue->shift, conv.epilogue->clip_min, conv.epilogue->clip_max};
  if (!(*conv.epilogue == plain)) fail("a convolution on a processor has no multipliers and no addend");
}

void check_tiling(const CpuConv2dTiling& t) {
  if (t.pixels >= 1 && t.channels >= 1 && t.rows >= 1) return;
  fail("conv2d: a tiling of {} pixels, {} channels and {} rows, expected at least 1 of each", t.pixels, t.channels,
       t.rows);
}

Tensor plain_weights(const CpuConv2d& conv) {
  const Conv2dShape& s = conv.shape;
  return placeholder({s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, conv.dtype, "W");
}

}  // namespace

ir::PrimFunc cpu_conv2d(const CpuConv2d& conv) {
  check(conv);
  const Conv2dShape& s = conv.shape;
  const Conv2dOperands operands(conv);
  const Tensor a = operands.images, w = plain_weights(conv);
  const ReduceAxis kh = reduce_axis(s.kernel_h, "kh"), kw = reduce_axis(s.kernel_w, "kw");
  const ReduceAxis ic = reduce_axis(s.in_channels, "ic");
  const DType type = conv.sum_type();
  const Tensor sums = compute(
      {s.batch, s.out_height(), s.out_width(), s.out_channels},
      [&](Expr n, Expr y, Expr x, Expr o) {
        const Expr row = y * s.stride.rows + kh - s.pad.top, column = x * s.stride.columns + kw - s.pad.left;
        Expr condition;
        if (s.pad.any()) condition = row >= 0 && row < s.height && column >= 0 && column < s.width;
        const Expr pixel = condition.defined()
                               ? if_then_else(condition, a(n, row, column, ic), ir::make_zero(conv.dtype))
                               : a(n, row, column, ic);
        return sum(cast(type, pixel) * cast(type, w(o, ic, kh, kw)), {kh, kw, ic});
      },
      conv.epilogue ? "sum" : "C");
  if (!conv.epilogue) return operands.function(w, sums);
  const Tensor c = compute(
      sums.shape(), [&](Expr n, Expr y, Expr x, Expr o) { return operands.finish(sums(n, y, x, o), o); }, "C");
  return operands.function(w, c);
}

CpuConv2dTiling choose_cpu_conv2d_tiling(const CpuConv2d& conv, const cpu::Target& target, int threads) {
  check(conv);
  check_threads(threads);
  const Conv2dShape& s = conv.shape;
  const RegisterTile tile = choose_register_tile(s.out_width(), s.out_channels, target);
  // So many rows that their input stays in the second level of cache while the weights pass by.
  const int64_t row_bytes = s.padded_width() * packed_depth(conv) * 4 * s.stride.rows;
  int64_t rows = std::clamp<int64_t>(target.l2_bytes / 4 / row_bytes, 1, s.out_height());
  if (threads > 1) {
    const int64_t share = ceil_div(s.batch * s.out_height(), 4 * threads);
    rows = std::clamp<int64_t>(share, 1, rows);
  }
  return {tile.rows, tile.columns, rows};
}

std::vector<int64_t> packed_weights_shape(const CpuConv2d& conv, const CpuConv2dTiling& t) {
  const Conv2dShape& s = conv.shape;
  return {ceil_div(s.out_channels, t.channels), s.kernel_h, s.kernel_w, packed_depth(conv), t.channels};
}

Schedule schedule_weight_packing(const CpuConv2d& conv, const CpuConv2dTiling& t) {
  check(conv);
  check_tiling(t);
  const Conv2dShape& s = conv.shape;
  const Tensor w = plain_weights(conv);
  const auto sizes = packed_weights_shape(conv, t);
  const Tensor packed = compute(
      {sizes.begin(), sizes.end()},
      [&](Expr tile, Expr kh, Expr kw, Expr c, Expr o) {
        const Expr channel = tile * t.channels + o;
        const Expr value = conv.dtype == kInt8
                               ? pack_word(c, s.in_channels, [&](const Expr& i) { return w(channel, i, kh, kw); })
                               : w(channel, c, kh, kw);
        if (s.out_channels % t.channels == 0) return value;
        return if_then_else(channel < s.out_channels, value, ir::make_zero(value.dtype()));
      },
      "packed");
  return Schedule(create_prim_func({w, packed}, "pack_weights"));
}

Schedule schedule_cpu_conv2d(const CpuConv2d& conv, const CpuConv2dTiling& t, const cpu::Target& target, int threads) {
  check(conv);
  check_threads(threads);
  check_tiling(t);
  return PackedConv2d(conv, t, target).schedule(threads);
}

}  // namespace vantage::ops
