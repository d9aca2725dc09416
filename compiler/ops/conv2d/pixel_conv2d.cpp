#include "compiler/ops/conv2d/pixel_conv2d.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/conv2d/conv2d.h"
#include "compiler/ops/products.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;

constexpr int64_t kMostPixels = 64;

// The same convolution as conv2d has it.
OperatorCall plain_call(const OperatorCall& call) {
  require_rank(call.inputs[0], 4, "x", "[n, c, h, w]: images");
  require_rank(call.inputs[1], 4, "weight", "[rows, columns, c, outputs]");
  OperatorCall plain{call.inputs, {}};
  const Tensor::Shape& s = call.inputs[1].shape;
  plain.inputs[1].shape = {s[3], s[2], s[0], s[1]};
  const Attributes& of = call.attributes;
  plain.attributes = Attributes(conv2d_operator().attributes, {{"strides", of.integers("strides")},
                                                               {"padding", of.integers("padding")},
                                                               {"dilation", of.integers("dilation")},
                                                               {"dtype", of.type("dtype")}});
  return plain;
}

struct PixelConvolution {
  TensorType result;
  int64_t channels, pixels, columns;  // of the product, whole tiles
  Window window;

  explicit PixelConvolution(const OperatorCall& call) {
    result = conv2d_operator().infer(plain_call(call))[0];
    channels = call.inputs[0].shape[1];
    window = window_of(call.attributes, call.inputs[0].shape, call.inputs[1].shape[0], call.inputs[1].shape[1]);
    const int64_t tile = call.attributes.integer("pixels");
    if (tile < 1) fail("there are {} pixels in a tile, expected at least 1", tile);
    pixels = result.shape[0] * result.shape[2] * result.shape[3];
    columns = round_up(pixels, tile);
  }

  te::Tensor define(const std::vector<te::Tensor>& in) const {
    const Window::Side &rows = window.rows, &sides = window.columns;
    const int64_t height = result.shape[2], width = result.shape[3];
    // Without padding every window lies in the image.
    const bool is_inside = pixels == columns && rows.before + rows.after + sides.before + sides.after == 0;
    const te::Tensor seen = te::compute(
        sizes({rows.kernel, sides.kernel, channels, columns}),
        [&](Expr kh, Expr kw, Expr c, Expr pixel) {
          const Expr y = ir::floor_mod(ir::floor_div(pixel, width), height) * rows.stride + kh * rows.dilation,
                     z = ir::floor_mod(pixel, width) * sides.stride + kw * sides.dilation;
          const Expr value = in[0](ir::floor_div(pixel, height * width), c, y - rows.before, z - sides.before);
          const Expr inside = pixel < pixels && y >= rows.before && y < rows.before + rows.size && z >= sides.before &&
                              z < sides.before + sides.size;
          return is_inside ? value : ir::if_then_else(inside, value, ir::make_zero(in[0].dtype()));
        },
        "seen");
    const ReduceAxis c = te::reduce_axis(channels, "c"), kh = te::reduce_axis(rows.kernel, "kh"),
                     kw = te::reduce_axis(sides.kernel, "kw");
    const DType sums = result.dtype;
    const te::Tensor product = te::compute(
        sizes({result.shape[1], columns}),
        [&](Expr o, Expr pixel) {
          return te::sum(ir::cast(sums, in[1](kh, kw, c, o)) * ir::cast(sums, seen(kh, kw, c, pixel)), {c, kh, kw});
        },
        "product");
    // The bias comes last, as tensor cores' sums begin from nothing.
    return te::compute(
        sizes(result.shape),
        [&](Expr n, Expr o, Expr y, Expr z) {
          const Expr sum = product(o, (n * height + y) * width + z);
          return in.size() < 3 ? sum : sum + in[2](o);
        },
        "pixel_conv2d");
  }
};

}  // namespace

Operator pixel_conv2d_operator() {
  Operator op;
  op.name = "pixel_conv2d";
  op.meaning = "sums of products of kernels with all windows of images, and a bias: pixel by pixel, in whole tiles";
  op.inputs = {{"x", "[n, c, h, w]: images"},
               {"weight", "[rows, columns, c, outputs]"},
               {"bias", "[outputs]: what is added", OperatorInput::Count::kOptional}};
  op.attributes = window_fields();
  op.attributes.push_back({.name = "pixels", .meaning = "of a tile", .standard = int64_t{1}, .is_required = true});
  op.attributes.push_back(sums_field());
  op.pattern = Pattern::kAnchor;
  op.infer = [](const OperatorCall& call) { return std::vector{PixelConvolution(call).result}; };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{PixelConvolution(call).define(in)};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Tensor kernels = in[1]->permuted({3, 2, 0, 1});
    std::vector<const Tensor*> plain = in;
    plain[1] = &kernels;
    return conv2d_operator().reference(plain_call(call), plain);
  };
  return op;
}

int64_t pixels_of_tile(int64_t pixels) {
  return std::min(kMostPixels, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(pixels))));
}

}  // namespace vantage::ops
