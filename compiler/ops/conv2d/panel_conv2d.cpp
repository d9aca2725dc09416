#include "compiler/ops/conv2d/panel_conv2d.h"

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/matmul/panels.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;

struct PanelConvolution {
  int64_t images, channels, outputs, pixels, width;
  Window window;
  DType dtype;

  explicit PanelConvolution(const OperatorCall& call)
      : outputs(call.attributes.integer("outputs")), pixels(call.attributes.integer("pixels")) {
    const TensorType &x = call.inputs[0], &panels = call.inputs[1];
    require_rank(x, 4, "x", "[n, c, h, w]: images");
    require_rank(panels, 3, "weight", "[outputs / width, c * rows * columns, width]");
    if (!x.dtype.is_float() || x.dtype != panels.dtype) {
      fail("x is {} and weight is {}, expected the same float", describe(x), describe(panels));
    }
    if (outputs < 1 || pixels < 1) fail("there are {} outputs and {} pixels, expected at least 1", outputs, pixels);
    const Integers& kernel = call.attributes.integers("kernel");
    require_integers(kernel, 2, 1, "kernel");
    images = x.shape[0];
    channels = x.shape[1];
    width = panels.shape[2];
    dtype = x.dtype;
    window = window_of(call.attributes, x.shape, kernel[0], kernel[1]);
    const TensorType expected{dtype, {ceil_div(outputs, width), round_up(depth(), kPanelStep), width}};
    if (panels != expected) {
      fail("weight is {}, expected {} for {} channels and {} outputs", describe(panels), describe(expected), channels,
           outputs);
    }
  }

  int64_t depth() const { return channels * window.rows.kernel * window.columns.kernel; }
  int64_t pixel_tiles() const { return ceil_div(window.columns.count(), pixels); }
  Tensor::Shape shape() const { return {images, outputs, window.rows.count(), window.columns.count()}; }

  // With zeros around, and as wide as the last tile reads.
  te::Tensor define_image(const te::Tensor& x) const {
    const Window::Side &rows = window.rows, &columns = window.columns;
    const int64_t height = (rows.count() - 1) * rows.stride + rows.reach();
    const int64_t length = (pixel_tiles() * pixels - 1) * columns.stride + columns.reach();
    if (rows.before + columns.before == 0 && height <= rows.size && length <= columns.size) return x;
    return te::compute(
        sizes({images, channels, height, length}),
        [&](Expr n, Expr c, Expr y, Expr z) {
          const Expr inside = y >= rows.before && y < rows.before + rows.size && z >= columns.before &&
                              z < columns.before + columns.size;
          return ir::if_then_else(inside, x(n, c, y - rows.before, z - columns.before), ir::make_zero(dtype));
        },
        "padded");
  }

  te::Tensor define(const te::Tensor& x, const te::Tensor& panels) const {
    const Window::Side &rows = window.rows, &columns = window.columns;
    const te::Tensor image = define_image(x);
    const ReduceAxis c = te::reduce_axis(channels, "c"), kh = te::reduce_axis(rows.kernel, "kh"),
                     kw = te::reduce_axis(columns.kernel, "kw");
    const te::Tensor tile = te::compute(
        sizes({images, ceil_div(outputs, width), rows.count(), pixel_tiles(), pixels, width}),
        [&](Expr n, Expr panel, Expr y, Expr tile_of_row, Expr pixel, Expr channel) {
          const Expr z = tile_of_row * pixels + pixel;
          const Expr depth = (Expr(c) * rows.kernel + Expr(kh)) * columns.kernel + Expr(kw);
          return te::sum(image(n, c, y * rows.stride + Expr(kh) * rows.dilation,
                               z * columns.stride + Expr(kw) * columns.dilation) *
                             panels(panel, depth, channel),
                         {c, kh, kw});
        },
        "panel_tile");
    return te::compute(
        sizes(shape()),
        [&](Expr n, Expr o, Expr y, Expr z) {
          return tile(n, ir::floor_div(o, width), y, ir::floor_div(z, pixels), ir::floor_mod(z, pixels),
                      ir::floor_mod(o, width));
        },
        "panel_conv2d");
  }

  Tensor reference(const Tensor& x, const Tensor& panels) const {
    const Window::Side &rows = window.rows, &columns = window.columns;
    const int64_t padded = round_up(depth(), kPanelStep);
    Tensor result(dtype, shape());
    for (int64_t e = 0; e < result.size(); ++e) {
      const Tensor::Shape at = result.index_of(e);
      const int64_t panel = at[1] / width * padded, lane = at[1] % width;
      double all = 0;
      for (int64_t d = 0; d < depth(); ++d) {
        const int64_t kw = d % columns.kernel, kh = d / columns.kernel % rows.kernel;
        const int64_t c = d / columns.kernel / rows.kernel;
        const int64_t y = at[2] * rows.stride - rows.before + kh * rows.dilation;
        const int64_t z = at[3] * columns.stride - columns.before + kw * columns.dilation;
        if (y < 0 || y >= rows.size || z < 0 || z >= columns.size) continue;
        const int64_t pixel = ((at[0] * channels + c) * rows.size + y) * columns.size + z;
        all += x.number(pixel) * panels.number((panel + d) * width + lane);
      }
      result.set_number(e, all);
    }
    return result;
  }
};

}  // namespace

Operator panel_conv2d_operator() {
  Operator op;
  op.name = "panel_conv2d";
  op.meaning = "sums of products of kernels, in panels, with all windows of images";
  op.inputs = {{"x", "[n, c, h, w]: images of floats"},
               {"weight", "[outputs / width, c * rows * columns, width]: of pack_panels"}};
  op.attributes = window_fields();
  op.attributes.push_back(
      {.name = "kernel", .meaning = "its rows and columns", .standard = Integers{}, .is_required = true});
  op.attributes.push_back(
      {.name = "outputs", .meaning = "channels of the result", .standard = int64_t{1}, .is_required = true});
  op.attributes.push_back({.name = "pixels",
                           .meaning = "of a row of the result, that are summed at a time",
                           .standard = int64_t{1},
                           .is_required = true});
  op.pattern = Pattern::kAnchor;
  op.schedule_rule = op.name;
  op.infer = [](const OperatorCall& call) {
    const PanelConvolution c(call);
    return std::vector{TensorType{c.dtype, c.shape()}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{PanelConvolution(call).define(in[0], in[1])};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{PanelConvolution(call).reference(*in[0], *in[1])};
  };
  return op;
}

}  // namespace vantage::ops
