#include "compiler/ops/conv2d/vta_conv2d.h"

#include "base/error.h"
#include "base/math.h"
#include "compiler/backend/vta/intrinsics.h"

namespace vantage::ops {

using namespace te;
using isa::Memory;
using te::Tensor;  // not the host's

ir::PrimFunc vta_conv2d(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config) {
  return vta_conv2d_part(shape, epilogue, config, {});
}

ir::PrimFunc vta_conv2d_part(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                             const VtaConv2dPart& part) {
  check_conv2d_shape(shape);
  check_epilogue(epilogue);
  if (shape.channelwise && (shape.in_channels != shape.out_channels || config.block_in() != config.block_out())) {
    fail("each tile of channels makes one of the same: {} channels in tiles of {} cannot become {} in tiles of {}",
         shape.in_channels, config.block_in(), shape.out_channels, config.block_out());
  }
  if (epilogue.has_addend && config.out_bits() != 8) {
    fail("accumulators are loaded from 8 bits alone, but outputs of configuration {} have {}: there can be no addend",
         config.name(), config.out_bits());
  }
  const int64_t n = ceil_div(shape.batch, config.batch());
  const int64_t ic = ceil_div(shape.in_channels, config.block_in()),
                oc = ceil_div(shape.out_channels, config.block_out());
  const int64_t oh = shape.out_height(), ow = shape.out_width();
  const int batch = config.batch(), block_in = config.block_in(), block_out = config.block_out();
  const DType acc = vta::element_type(Memory::kAcc, config);
  const Tensor a =
      placeholder({n, ic, shape.height, shape.width, batch, block_in}, vta::element_type(Memory::kInp, config), "A");
  const int64_t depth = shape.channelwise ? 1 : ic;
  const Tensor w = placeholder({oc, depth, shape.kernel_h, shape.kernel_w, block_out, block_in},
                               vta::element_type(Memory::kWgt, config), "W");
  const Tensor bias = placeholder({oc, batch, block_out}, acc, "bias");
  const Tensor multipliers = placeholder({oc, batch, block_out}, acc, "multipliers");
  const Tensor addend =
      placeholder({n, oc, oh, ow, batch, block_out}, vta::element_type(Memory::kAcc8, config), "addend");
  Tensor input = a;
  if (shape.pad.any()) {
    const int64_t top = shape.pad.top, left = shape.pad.left;
    input = compute(
        {n, ic, shape.padded_height(), shape.padded_width(), batch, block_in},
        [&](Expr i, Expr c, Expr y, Expr x, Expr r, Expr l) {
          const Expr inside = y >= top && y < shape.height + top && x >= left && x < shape.width + left;
          return if_then_else(inside, a(i, c, y - top, x - left, r, l), 0);
        },
        "pad");
  }
  if (shape.skips_rows()) {
    input = compute(
        {n, ic, oh, shape.width, batch, block_in},
        [&](Expr i, Expr c, Expr y, Expr x, Expr r, Expr l) { return a(i, c, y * shape.stride.rows, x, r, l); },
        "rows");
  }
  if (shape.skips_pixels()) {
    input = compute(
        {n, ic, oh, ow, batch, block_in},
        [&, rows = input](Expr i, Expr c, Expr y, Expr x, Expr r, Expr l) {
          return rows(i, c, y, x * shape.stride.columns, r, l);
        },
        "pixels");
  }
  const int64_t row_stride = shape.skips_rows() ? 1 : shape.stride.rows;
  const int64_t column_stride = shape.skips_pixels() ? 1 : shape.stride.columns;
  const ReduceAxis c = reduce_axis(depth, "ic"), ky = reduce_axis(shape.kernel_h, "kh"),
                   kx = reduce_axis(shape.kernel_w, "kw");
  const ReduceAxis l = reduce_axis(block_in, "ki");
  const std::vector<Expr> box = {part.n.extent(n), part.oc.extent(oc), part.h.extent(oh), ow, batch, block_out};
  EpilogueOperands operands;
  if (epilogue.has_addend) {
    operands.addend = compute(
        box,
        [&](const Expr& i, const Expr& o, const Expr& y, Expr x, Expr r, Expr k) {
          return cast(acc, addend(i + part.n.begin, o + part.oc.begin, y + part.h.begin, x, r, k));
        },
        "addend_acc");
  }
  if (epilogue.has_multipliers) {
    operands.multiplier = [&](const std::vector<Var>& axes) {
      return multipliers(axes[1] + part.oc.begin, axes[4], axes[5]);
    };
  }
  const Tensor sums = compute(
      box,
      [&](const Expr& i, const Expr& o, const Expr& y, Expr x, Expr r, Expr k) {
        const Expr row = (y + part.h.begin) * row_stride + Expr(ky) * shape.dilation.rows;
        const Expr channel = shape.channelwise ? o + part.oc.begin : Expr(c);
        const Expr column = x * column_stride + Expr(kx) * shape.dilation.columns;
        const Expr in = input(i + part.n.begin, channel, row, column, r, l);
        Reduction all = sum(cast(acc, in) * cast(acc, w(o + part.oc.begin, c, ky, kx, k, l)), {c, ky, kx, l});
        Expr start;
        if (epilogue.starts_from_addend()) {
          start = operands.addend(i, o, y, x, r, k);
          if (epilogue.addend_factor != 1) start = start << log2_ceil(epilogue.addend_factor);
        }
        if (epilogue.bias) {
          const Expr offset = bias(o + part.oc.begin, r, k);
          start = start.defined() ? start + offset : offset;
        }
        return start.defined() ? starting_from(start, std::move(all)) : all;
      },
      "conv");
  const Tensor out = add_epilogue(sums, epilogue, config, operands);
  std::vector<std::variant<Tensor, Var>> parameters = {a, w};
  if (epilogue.bias) parameters.emplace_back(bias);
  if (epilogue.has_multipliers) parameters.emplace_back(multipliers);
  if (epilogue.has_addend) parameters.emplace_back(addend);
  parameters.emplace_back(out);
  return create_prim_func(parameters, "conv2d");
}

}  // namespace vantage::ops
