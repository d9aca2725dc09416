#include "compiler/ops/cpu/conv2d.h"

#include "compiler/ops/cpu/tile.h"
#include "compiler/ops/cpu/words.h"
#include "compiler/te/te.h"
#include "hw/spec/error.h"

namespace vantage::compiler {

using namespace te;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

void check(const CpuConv2d& conv) {
  check_conv2d_shape(conv.shape);
  if (conv.dtype != kFloat32 && conv.dtype != kInt8) {
    fail("conv2d: the type is {}, expected float32 or int8", tir::name(conv.dtype));
  }
  if (!conv.epilogue) return;
  if (conv.dtype != kInt8) fail("conv2d: only int8 has an epilogue, the type is {}", tir::name(conv.dtype));
  check_epilogue(*conv.epilogue);
}

void check_tiling(const CpuConv2dTiling& t) {
  if (t.pixels >= 1 && t.channels >= 1 && t.rows >= 1) return;
  fail("conv2d: a tiling of {} pixels, {} channels and {} rows, expected at least 1 of each", t.pixels, t.channels,
       t.rows);
}

Tensor images(const CpuConv2d& conv) {
  const Conv2dShape& s = conv.shape;
  return placeholder({s.batch, s.height, s.width, s.in_channels}, conv.dtype, "A");
}

Tensor plain_weights(const CpuConv2d& conv) {
  const Conv2dShape& s = conv.shape;
  return placeholder({s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, conv.dtype, "W");
}

Tensor bias_of(const CpuConv2d& conv) {
  return placeholder({conv.shape.out_channels}, kInt32, "bias");
}

Expr finish(const CpuConv2d& conv, const Tensor& bias, Expr sum, const Expr& channel) {
  if (!conv.epilogue) return sum;
  if (conv.epilogue->bias) sum = sum + bias(channel);
  if (conv.epilogue->shift > 0) sum = sum >> conv.epilogue->shift;
  return cast(kInt8, clip(sum, conv.epilogue->clip_min, conv.epilogue->clip_max));
}

tir::PrimFunc function_of(const CpuConv2d& conv, const Tensor& a, const Tensor& w, const Tensor& bias,
                          const Tensor& c) {
  if (conv.has_bias()) return create_prim_func({a, w, bias, c}, "conv2d");
  return create_prim_func({a, w, c}, "conv2d");
}

// Input channels as the inner loop counts them.
int64_t depth(const CpuConv2d& conv) {
  return conv.dtype == kInt8 ? (conv.shape.in_channels + 3) / 4 : conv.shape.in_channels;
}

// The images with zeros around, as wide as the tiles of pixels reach.
Tensor pad_images(const CpuConv2d& conv, const Tensor& a, int64_t tiled_width, const WordProduct& product) {
  const Conv2dShape& s = conv.shape;
  const int64_t reach_h = (s.out_height() - 1) * s.stride + s.kernel_h;
  const int64_t reach_w = (tiled_width - 1) * s.stride + s.kernel_w;
  const bool words = conv.dtype == kInt8;
  if (!words && s.pad == 0 && reach_w <= s.width) return a;
  return compute(
      {s.batch, reach_h, reach_w, depth(conv)},
      [&](Expr n, Expr h, Expr w, Expr c) {
        const Expr y = h - s.pad, x = w - s.pad;
        Expr value = words ? pack_word(c, s.in_channels, [&](const Expr& i) { return a(n, y, x, i); }) : a(n, y, x, c);
        Expr inside;
        const auto require = [&](const Expr& condition) {
          inside = inside.defined() ? inside && condition : condition;
        };
        if (s.pad > 0) require(y >= 0 && x >= 0);
        if (reach_h - s.pad > s.height) require(y < s.height);
        if (reach_w - s.pad > s.width) require(x < s.width);
        if (inside.defined()) value = if_then_else(inside, value, tir::make_zero(value.dtype()));
        return words ? product.pack_offset(value) : value;
      },
      "pad");
}

}  // namespace

tir::PrimFunc define_cpu_conv2d(const CpuConv2d& conv) {
  check(conv);
  const Conv2dShape& s = conv.shape;
  const Tensor a = images(conv), w = plain_weights(conv), bias = bias_of(conv);
  const ReduceAxis kh = reduce_axis(s.kernel_h, "kh"), kw = reduce_axis(s.kernel_w, "kw");
  const ReduceAxis ic = reduce_axis(s.in_channels, "ic");
  const DType type = conv.sum_type();
  const Tensor sums = compute(
      {s.batch, s.out_height(), s.out_width(), s.out_channels},
      [&](Expr n, Expr y, Expr x, Expr o) {
        const Expr row = y * s.stride + kh - s.pad, column = x * s.stride + kw - s.pad;
        Expr condition;
        if (s.pad > 0) condition = row >= 0 && row < s.height && column >= 0 && column < s.width;
        const Expr pixel = condition.defined()
                               ? if_then_else(condition, a(n, row, column, ic), tir::make_zero(conv.dtype))
                               : a(n, row, column, ic);
        return sum(cast(type, pixel) * cast(type, w(o, ic, kh, kw)), {kh, kw, ic});
      },
      conv.epilogue ? "sum" : "C");
  if (!conv.epilogue) return function_of(conv, a, w, bias, sums);
  const Tensor c = compute(
      sums.shape(), [&](Expr n, Expr y, Expr x, Expr o) { return finish(conv, bias, sums(n, y, x, o), o); }, "C");
  return function_of(conv, a, w, bias, c);
}

CpuConv2dTiling choose_cpu_conv2d_tiling(const CpuConv2d& conv, const CpuTarget& target, int threads) {
  check(conv);
  check_threads(threads);
  const Conv2dShape& s = conv.shape;
  const RegisterTile tile = choose_register_tile(s.out_width(), s.out_channels, target);
  // So many rows that their input stays in the second level of cache while the weights pass by.
  const int64_t row_bytes = (s.width + 2 * s.pad) * depth(conv) * 4 * s.stride;
  int64_t rows = std::clamp<int64_t>(target.l2_bytes / 4 / row_bytes, 1, s.out_height());
  if (threads > 1) {
    const int64_t share = (s.batch * s.out_height() + 4 * threads - 1) / (4 * threads);
    rows = std::clamp<int64_t>(share, 1, rows);
  }
  return {tile.rows, tile.columns, rows};
}

std::vector<int64_t> packed_weights_shape(const CpuConv2d& conv, const CpuConv2dTiling& t) {
  const Conv2dShape& s = conv.shape;
  return {(s.out_channels + t.channels - 1) / t.channels, s.kernel_h, s.kernel_w, depth(conv), t.channels};
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
        return if_then_else(channel < s.out_channels, value, tir::make_zero(value.dtype()));
      },
      "packed");
  return Schedule(create_prim_func({w, packed}, "pack_weights"));
}

Schedule schedule_cpu_conv2d(const CpuConv2d& conv, const CpuConv2dTiling& t, const CpuTarget& target, int threads) {
  check(conv);
  check_threads(threads);
  check_tiling(t);
  const Conv2dShape& s = conv.shape;
  const WordProduct product(target);
  const bool words = conv.dtype == kInt8, offset = words && product.offset;
  const auto sizes = packed_weights_shape(conv, t);
  const Tensor a = images(conv), bias = bias_of(conv);
  const Tensor w = placeholder({sizes.begin(), sizes.end()}, words ? kInt32 : kFloat32, "W");
  const int64_t pixel_tiles = (s.out_width() + t.pixels - 1) / t.pixels;
  const Tensor pad = pad_images(conv, a, pixel_tiles * t.pixels, product);
  const auto axes = [&] {
    return std::array{reduce_axis(s.kernel_h, "kh"), reduce_axis(s.kernel_w, "kw"), reduce_axis(depth(conv), "ic")};
  };
  Tensor sums;
  if (offset) {
    const auto [kh, kw, ic] = axes();
    sums = compute(
        {sizes[0], t.channels},
        [&, kh = kh, kw = kw, ic = ic](Expr tile, Expr o) {
          return sum(product.of_offset(w(tile, kh, kw, ic, o)), {kh, kw, ic});
        },
        "channel_sums");
  }
  const auto [kh, kw, ic] = axes();
  const Tensor tile = compute(
      {s.batch, sizes[0], s.out_height(), pixel_tiles, t.pixels, t.channels},
      [&, kh = kh, kw = kw, ic = ic](Expr n, Expr channels, Expr y, Expr pixels, Expr p, Expr o) {
        const Expr x = pixels * t.pixels + p;
        const Expr in = pad(n, y * s.stride + kh, x * s.stride + kw, ic), weight = w(channels, kh, kw, ic, o);
        return sum(words ? product(in, weight) : in * weight, {kh, kw, ic});
      },
      "tile");
  const Tensor c = compute(
      {s.batch, s.out_height(), s.out_width(), s.out_channels},
      [&](Expr n, Expr y, Expr x, Expr o) {
        const Expr channel_tile = floor_div(o, t.channels), channel = floor_mod(o, t.channels);
        Expr value = tile(n, channel_tile, y, floor_div(x, t.pixels), floor_mod(x, t.pixels), channel);
        if (offset) value = value - sums(channel_tile, channel);
        return finish(conv, bias, value, o);
      },
      "C");

  Schedule schedule(function_of(conv, a, w, bias, c));
  const BlockRV result = schedule.get_block("C");
  const std::vector<LoopRV> loops = schedule.get_loops(result);
  const auto rows = schedule.split(loops[1], {std::nullopt, t.rows});
  const auto pixels = schedule.split(loops[2], {std::nullopt, t.pixels});
  const auto channels = schedule.split(loops[3], {std::nullopt, t.channels});
  schedule.reorder({rows[0], channels[0], rows[1], pixels[0], pixels[1], channels[1]});
  schedule.unroll(pixels[1]);
  schedule.vectorize(channels[1]);
  const bool many_blocks = s.batch * ((s.out_height() + t.rows - 1) / t.rows) >= 2 * threads;

  const BlockRV sum_block = schedule.get_block("tile");
  schedule.compute_at(sum_block, pixels[0]);
  schedule.set_scope(sum_block, "local");
  const std::vector<LoopRV> inner = schedule.get_loops(sum_block);
  const size_t n = inner.size();
  schedule.reorder({inner[n - 3], inner[n - 2], inner[n - 1], inner[n - 5], inner[n - 4]});
  schedule.unroll(inner[n - 5]);
  schedule.vectorize(inner[n - 4]);
  const std::vector<LoopRV> zero = schedule.get_loops(schedule.decompose_reduction(sum_block, inner[n - 3]));
  schedule.unroll(zero[zero.size() - 2]);
  schedule.vectorize(zero.back());

  if (pad.name() == "pad") {
    const BlockRV block = schedule.get_block("pad");
    schedule.compute_at(block, rows[0]);
    const std::vector<LoopRV> copies = schedule.get_loops(block);
    if (words) {
      schedule.unroll(schedule.split(copies.back(), {std::nullopt, 4})[1]);
    } else {
      schedule.vectorize(copies.back());
    }
  }
  if (offset) {
    const BlockRV block = schedule.get_block("channel_sums");
    const std::vector<LoopRV> of = schedule.get_loops(block);
    schedule.reorder({of[2], of[3], of[4], of[1]});
    schedule.vectorize(of[1]);
    schedule.vectorize(schedule.get_loops(schedule.decompose_reduction(block, of[2])).back());
  }
  if (threads > 1) schedule.parallel(many_blocks ? schedule.fuse({loops[0], rows[0]}) : channels[0]);
  return schedule;
}

}  // namespace vantage::compiler
