#include "compiler/ops/conv2d/cpu_packed_conv2d.h"

#include "base/math.h"
#include "compiler/ops/cpu/tile.h"

namespace vantage::ops {

using namespace te;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;
using te::Tensor;  // not the host's

Conv2dOperands::Conv2dOperands(const CpuConv2d& c)
    : conv(c),
      images(placeholder({c.shape.batch, c.shape.height, c.shape.width, c.shape.in_channels}, c.dtype, "A")),
      bias(placeholder({c.shape.out_channels}, kInt32, "bias")) {}

Expr Conv2dOperands::finish(Expr sum, const Expr& channel) const {
  if (!conv.epilogue) return sum;
  if (conv.epilogue->bias) sum = sum + bias(channel);
  if (conv.epilogue->shift > 0) sum = sum >> conv.epilogue->shift;
  return cast(kInt8, clip(sum, conv.epilogue->clip_min, conv.epilogue->clip_max));
}

ir::PrimFunc Conv2dOperands::function(const Tensor& weights, const Tensor& result) const {
  if (conv.has_bias()) return create_prim_func({images, weights, bias, result}, "conv2d");
  return create_prim_func({images, weights, result}, "conv2d");
}

int64_t packed_depth(const CpuConv2d& conv) {
  return conv.dtype == kInt8 ? ceil_div(conv.shape.in_channels, 4) : conv.shape.in_channels;
}

PackedConv2d::PackedConv2d(const CpuConv2d& conv, const CpuConv2dTiling& tiling, const cpu::Target& target)
    : operands_(conv),
      shape_(conv.shape),
      t_(tiling),
      words_(conv.dtype == kInt8),
      word_product_(target),
      offset_(words_ && word_product_.offset),
      channel_tiles_(ceil_div(shape_.out_channels, tiling.channels)),
      pixel_tiles_(ceil_div(shape_.out_width(), tiling.pixels)) {
  const auto sizes = packed_weights_shape(conv, tiling);
  weights_ = placeholder({sizes.begin(), sizes.end()}, words_ ? kInt32 : kFloat32, "W");
  pad_ = define_pad();
  if (offset_) sums_ = define_channel_sums();
  tile_ = define_tile();
  c_ = define_result();
}

Tensor PackedConv2d::define_pad() const {
  const Tensor& a = operands_.images;
  const Conv2dShape& s = shape_;
  if (!pads()) return a;
  return compute(
      {s.batch, rows_read(), columns_read(), packed_depth(operands_.conv)},
      [&](Expr n, Expr h, Expr w, Expr c) {
        const Expr y = h - s.pad.top, x = w - s.pad.left;
        Expr value = words_ ? pack_word(c, s.in_channels, [&](const Expr& i) { return a(n, y, x, i); }) : a(n, y, x, c);
        Expr inside;
        const auto require = [&](const Expr& condition) {
          inside = inside.defined() ? inside && condition : condition;
        };
        if (s.pad.any()) require(y >= 0 && x >= 0);
        if (rows_read() - s.pad.top > s.height) require(y < s.height);
        if (columns_read() - s.pad.left > s.width) require(x < s.width);
        if (inside.defined()) value = if_then_else(inside, value, ir::make_zero(value.dtype()));
        return words_ ? word_product_.pack_offset(value) : value;
      },
      "pad");
}

Tensor PackedConv2d::define_channel_sums() const {
  const ReduceAxis kh = reduce_axis(shape_.kernel_h, "kh"), kw = reduce_axis(shape_.kernel_w, "kw");
  const ReduceAxis ic = reduce_axis(packed_depth(operands_.conv), "ic");
  return compute(
      {channel_tiles_, t_.channels},
      [&](Expr tile, Expr o) {
        return sum(word_product_.of_offset(weights_(tile, kh, kw, ic, o)), {kh, kw, ic});
      },
      "channel_sums");
}

Tensor PackedConv2d::define_tile() const {
  const ReduceAxis kh = reduce_axis(shape_.kernel_h, "kh"), kw = reduce_axis(shape_.kernel_w, "kw");
  const ReduceAxis ic = reduce_axis(packed_depth(operands_.conv), "ic");
  return compute(
      {shape_.batch, channel_tiles_, shape_.out_height(), pixel_tiles_, t_.pixels, t_.channels},
      [&](Expr n, Expr channels, Expr y, Expr pixels, Expr p, Expr o) {
        const Expr x = pixels * t_.pixels + p;
        const Expr in = pad_(n, y * shape_.stride.rows + kh, x * shape_.stride.columns + kw, ic);
        const Expr weight = weights_(channels, kh, kw, ic, o);
        return sum(words_ ? word_product_(in, weight) : in * weight, {kh, kw, ic});
      },
      "tile");
}

Tensor PackedConv2d::define_result() const {
  return compute(
      {shape_.batch, shape_.out_height(), shape_.out_width(), shape_.out_channels},
      [&](Expr n, Expr y, Expr x, Expr o) {
        const Expr channel_tile = floor_div(o, t_.channels), channel = floor_mod(o, t_.channels);
        Expr value = tile_(n, channel_tile, y, floor_div(x, t_.pixels), floor_mod(x, t_.pixels), channel);
        if (offset_) value = value - sums_(channel_tile, channel);
        return operands_.finish(value, o);
      },
      "C");
}

void PackedConv2d::schedule_pad(Schedule& s, const LoopRV& rows) const {
  const BlockRV pad = s.get_block("pad");
  s.compute_at(pad, rows);
  const LoopRV channels = s.get_loops(pad).back();
  if (words_) {
    s.unroll(s.split(channels, {std::nullopt, 4})[1]);
  } else {
    s.vectorize(channels);
  }
}

Schedule PackedConv2d::schedule(int threads) const {
  Schedule s(operands_.function(weights_, c_));
  const std::vector<LoopRV> loops = s.get_loops(s.get_block("C"));
  const auto rows = s.split(loops[1], {std::nullopt, t_.rows});
  const auto pixels = s.split(loops[2], {std::nullopt, t_.pixels});
  const auto channels = s.split(loops[3], {std::nullopt, t_.channels});
  s.reorder({rows[0], channels[0], rows[1], pixels[0], pixels[1], channels[1]});
  s.unroll(pixels[1]);
  s.vectorize(channels[1]);

  const BlockRV tile = s.get_block("tile");
  s.compute_at(tile, pixels[0]);
  s.set_scope(tile, "local");
  const std::vector<LoopRV> inner = s.get_loops(tile);
  const size_t n = inner.size();
  schedule_register_tile(s, tile, {inner[n - 3], inner[n - 2], inner[n - 1]}, inner[n - 5], inner[n - 4]);

  if (pads()) schedule_pad(s, rows[0]);
  if (offset_) {
    const BlockRV sums = s.get_block("channel_sums");
    const std::vector<LoopRV> of = s.get_loops(sums);
    schedule_lane_sums(s, sums, {of[2], of[3], of[4]}, of[1]);
  }
  if (threads > 1) {
    const bool many_blocks = shape_.batch * ceil_div(shape_.out_height(), t_.rows) >= 2 * threads;
    s.parallel(many_blocks ? s.fuse({loops[0], rows[0]}) : channels[0]);
  }
  return s;
}

}  // namespace vantage::ops
