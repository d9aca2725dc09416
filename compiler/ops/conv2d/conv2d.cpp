#include "compiler/ops/conv2d/conv2d.h"

#include "base/error.h"
#include "compiler/ops/products.h"
#include "compiler/ops/sizes.h"
#include "compiler/ops/wrapping.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;

// All sizes of a call.
struct Convolution {
  int64_t images, in_channels, out_channels, groups;
  Window window;
  DType sums;

  explicit Convolution(const OperatorCall& call) {
    const TensorType &x = call.inputs[0], &weight = call.inputs[1];
    require_rank(x, 4, "x", "[n, c, h, w]: images");
    require_rank(weight, 4, "weight", "[outputs, c / groups, rows, columns]");
    images = x.shape[0];
    in_channels = x.shape[1];
    out_channels = weight.shape[0];
    groups = call.attributes.integer("groups");
    if (groups < 1 || in_channels % groups != 0 || out_channels % groups != 0) {
      fail("there are {} groups, expected a number that divides x's {} channels and the {} outputs", groups,
           in_channels, out_channels);
    }
    if (weight.shape[1] != in_channels / groups) {
      fail("weight is {}, but x is {}: in {} groups weight takes {} channels", describe(weight), describe(x), groups,
           in_channels / groups);
    }
    window = window_of(call.attributes, x.shape, weight.shape[2], weight.shape[3]);
    sums = sums_type(call.attributes, x, weight);
    if (call.inputs.size() > 2) require_bias(call.inputs[2], out_channels, sums);
  }

  int64_t group_inputs() const { return in_channels / groups; }
  int64_t group_outputs() const { return out_channels / groups; }
  Tensor::Shape shape() const { return {images, out_channels, window.rows.count(), window.columns.count()}; }

  te::Tensor define(const std::vector<te::Tensor>& in) const {
    const Window::Side &rows = window.rows, &columns = window.columns;
    te::Tensor x = in[0];
    if (rows.before + rows.after + columns.before + columns.after > 0) {
      x = te::compute(
          sizes({images, in_channels, rows.size + rows.before + rows.after,
                 columns.size + columns.before + columns.after}),
          [&](Expr n, Expr c, Expr y, Expr z) {
            const Expr inside = y >= rows.before && y < rows.before + rows.size && z >= columns.before &&
                                z < columns.before + columns.size;
            return ir::if_then_else(inside, in[0](n, c, y - rows.before, z - columns.before),
                                    ir::make_zero(in[0].dtype()));
          },
          "padded");
    }
    const ReduceAxis c = te::reduce_axis(group_inputs(), "c"), kh = te::reduce_axis(rows.kernel, "kh"),
                     kw = te::reduce_axis(columns.kernel, "kw");
    return te::compute(
        sizes(shape()),
        [&](Expr n, Expr o, Expr y, Expr z) {
          const Expr channel = groups == 1 ? Expr(c) : ir::floor_div(o, group_outputs()) * group_inputs() + c;
          const Expr pixel = x(n, channel, y * rows.stride + Expr(kh) * rows.dilation,
                               z * columns.stride + Expr(kw) * columns.dilation);
          te::Reduction all = te::sum(ir::cast(sums, pixel) * ir::cast(sums, in[1](o, c, kh, kw)), {c, kh, kw});
          return in.size() < 3 ? all : te::starting_from(in[2](o), std::move(all));
        },
        "conv2d");
  }

  Tensor reference(const std::vector<const Tensor*>& in) const {
    const Window::Side &rows = window.rows, &columns = window.columns;
    const Tensor x = in[0]->converted(sums.is_float() ? kFloat64 : kInt64);
    const Tensor weight = in[1]->converted(x.dtype());
    Tensor y(sums, shape());
    if (sums.is_float()) {
      sum(x.values<double>(), weight.values<double>(), rows, columns,
          [&](int64_t e, int64_t o, double all) { y.set_number(e, all + (in.size() < 3 ? 0 : in[2]->number(o))); });
    } else {
      sum(x.values<int64_t>(), weight.values<int64_t>(), rows, columns, [&](int64_t e, int64_t o, int64_t all) {
        y.set_integer(e, wrap(sums, wrapping_sum(all, in.size() < 3 ? 0 : in[2]->integer(o))));
      });
    }
    return y;
  }

 private:
  // Calls take(number of the result, its channel, its sum of products) for every one.
  template <typename T, typename Take>
  void sum(std::span<const T> x, std::span<const T> weight, const Window::Side& rows, const Window::Side& columns,
           const Take& take) const {
    int64_t result = 0;
    for (int64_t n = 0; n < images; ++n) {
      for (int64_t o = 0; o < out_channels; ++o) {
        const int64_t first = o / group_outputs() * group_inputs();
        for (int64_t y = 0; y < rows.count(); ++y) {
          for (int64_t z = 0; z < columns.count(); ++z) {
            T all = 0;
            for (int64_t c = 0; c < group_inputs(); ++c) {
              for (int64_t kh = 0; kh < rows.kernel; ++kh) {
                const int64_t row = y * rows.stride - rows.before + kh * rows.dilation;
                if (row < 0 || row >= rows.size) continue;
                for (int64_t kw = 0; kw < columns.kernel; ++kw) {
                  const int64_t column = z * columns.stride - columns.before + kw * columns.dilation;
                  if (column < 0 || column >= columns.size) continue;
                  const int64_t pixel = ((n * in_channels + first + c) * rows.size + row) * columns.size + column;
                  const int64_t place = ((o * group_inputs() + c) * rows.kernel + kh) * columns.kernel + kw;
                  const T of_image = x[static_cast<size_t>(pixel)], of_kernel = weight[static_cast<size_t>(place)];
                  if constexpr (std::is_integral_v<T>) {
                    all = wrapping_sum(all, wrapping_product(of_image, of_kernel));
                  } else {
                    all += of_image * of_kernel;
                  }
                }
              }
            }
            take(result++, o, all);
          }
        }
      }
    }
  }
};

}  // namespace

Operator conv2d_operator() {
  Operator op;
  op.name = "conv2d";
  op.meaning = "sums of products of kernels with all windows of images, and a bias";
  op.inputs = {{"x", "[n, c, h, w]: images"},
               {"weight", "[outputs, c / groups, rows, columns]"},
               {"bias", "[outputs]: what is added", OperatorInput::Count::kOptional}};
  op.attributes = window_fields();
  op.attributes.push_back({"groups", "of channels, each with outputs of its own", int64_t{1}});
  op.attributes.push_back(sums_field());
  op.pattern = Pattern::kAnchor;
  op.infer = [](const OperatorCall& call) {
    const Convolution c(call);
    return std::vector{TensorType{c.sums, c.shape()}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{Convolution(call).define(in)};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{Convolution(call).reference(in)};
  };
  return op;
}

}  // namespace vantage::ops
