#include "compiler/ops/conv2d_transpose/conv2d_transpose.h"

#include "base/error.h"
#include "compiler/ops/products.h"
#include "compiler/ops/sizes.h"
#include "compiler/ops/wrapping.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;

// One side of the image: `size` pixels, each of which meets `kernel` places of the output.
struct TransposedSide {
  int64_t size, kernel, stride, before, after, dilation, extra;
  int64_t count() const { return (size - 1) * stride + (kernel - 1) * dilation + 1 + extra - before - after; }
};

struct TransposedConvolution {
  int64_t images, in_channels, out_channels, groups;
  TransposedSide rows, columns;
  DType sums;

  explicit TransposedConvolution(const OperatorCall& call) {
    const TensorType &x = call.inputs[0], &weight = call.inputs[1];
    const Attributes& a = call.attributes;
    require_rank(x, 4, "x", "[n, c, h, w]: images");
    require_rank(weight, 4, "weight", "[c, outputs / groups, rows, columns]");
    require_integers(a.integers("strides"), 2, 1, "strides");
    require_integers(a.integers("padding"), 4, 0, "padding");
    require_integers(a.integers("dilation"), 2, 1, "dilation");
    require_integers(a.integers("output_padding"), 2, 0, "output_padding");
    images = x.shape[0];
    in_channels = x.shape[1];
    groups = a.integer("groups");
    if (groups < 1 || in_channels % groups != 0) {
      fail("there are {} groups, expected a number that divides x's {} channels", groups, in_channels);
    }
    if (weight.shape[0] != in_channels) {
      fail("weight is {}, but x is {}: weight takes {} channels", describe(weight), describe(x), in_channels);
    }
    out_channels = weight.shape[1] * groups;
    const auto side = [&](size_t s) {
      const TransposedSide result = {x.shape[2 + s],
                                     weight.shape[2 + s],
                                     a.integers("strides")[s],
                                     a.integers("padding")[s],
                                     a.integers("padding")[s + 2],
                                     a.integers("dilation")[s],
                                     a.integers("output_padding")[s]};
      if (result.extra >= std::max(result.stride, result.dilation)) {
        fail("output_padding is {}, expected less than the stride of {} or the dilation of {}", result.extra,
             result.stride, result.dilation);
      }
      if (result.count() < 1) {
        fail("padding of {} and {} leaves nothing of {} {}", result.before, result.after,
             result.count() + result.before + result.after, s == 0 ? "rows" : "columns");
      }
      return result;
    };
    rows = side(0);
    columns = side(1);
    sums = sums_type(a, x, weight);
    if (call.inputs.size() > 2) require_bias(call.inputs[2], out_channels, sums);
  }

  int64_t group_inputs() const { return in_channels / groups; }
  int64_t group_outputs() const { return out_channels / groups; }
  Tensor::Shape shape() const { return {images, out_channels, rows.count(), columns.count()}; }

  te::Tensor define(const std::vector<te::Tensor>& in) const {
    const ReduceAxis c = te::reduce_axis(group_inputs(), "c"), kh = te::reduce_axis(rows.kernel, "kh"),
                     kw = te::reduce_axis(columns.kernel, "kw");
    return te::compute(
        sizes(shape()),
        [&](Expr n, Expr o, Expr y, Expr z) {
          // Which pixel has its kernel's place there: one, if the stride meets it.
          const auto way = [](const TransposedSide& s, const Expr& at, const Expr& k) {
            return at + s.before - k * s.dilation;
          };
          const auto meets = [&](const TransposedSide& s, const Expr& at, const Expr& k) {
            const Expr from = way(s, at, k);
            Expr inside = from >= 0 && from < s.size * s.stride;
            return s.stride == 1 ? inside : inside && ir::floor_mod(from, s.stride) == 0;
          };
          const auto pixel = [&](const TransposedSide& s, const Expr& at, const Expr& k) {
            return ir::floor_div(way(s, at, k), s.stride);
          };
          const Expr first = groups == 1 ? Expr(0) : ir::floor_div(o, group_outputs()) * group_inputs();
          const Expr out = groups == 1 ? o : ir::floor_mod(o, group_outputs());
          const Expr value = ir::cast(sums, in[0](n, first + c, pixel(rows, y, kh), pixel(columns, z, kw))) *
                             ir::cast(sums, in[1](first + c, out, kh, kw));
          te::Reduction all = te::sum(value, {c, kh, kw}, meets(rows, y, kh) && meets(columns, z, kw));
          return in.size() < 3 ? all : te::starting_from(in[2](o), std::move(all));
        },
        "conv2d_transpose");
  }

  // Pixel by pixel, as the name's own definition has it.
  Tensor reference(const std::vector<const Tensor*>& in) const {
    const Tensor::Shape out = shape();
    Tensor all(sums.is_float() ? kFloat64 : kInt64, out), y(sums, out);
    const auto at = [](const Tensor::Shape& s, int64_t a, int64_t b, int64_t c, int64_t d) {
      return ((a * s[1] + b) * s[2] + c) * s[3] + d;
    };
    for (int64_t e = 0; e < in[0]->size(); ++e) {
      const Tensor::Shape pixel = in[0]->index_of(e);
      for (int64_t o = 0; o < group_outputs(); ++o) {
        for (int64_t kh = 0; kh < rows.kernel; ++kh) {
          for (int64_t kw = 0; kw < columns.kernel; ++kw) {
            const int64_t row = pixel[2] * rows.stride + kh * rows.dilation - rows.before;
            const int64_t column = pixel[3] * columns.stride + kw * columns.dilation - columns.before;
            if (row < 0 || row >= out[2] || column < 0 || column >= out[3]) continue;
            const int64_t to = at(out, pixel[0], pixel[1] / group_inputs() * group_outputs() + o, row, column);
            const int64_t place = at(in[1]->shape(), pixel[1], o, kh, kw);
            if (sums.is_float()) {
              all.set_number(to, all.number(to) + in[0]->number(e) * in[1]->number(place));
            } else {
              const int64_t product = wrapping_product(in[0]->integer(e), in[1]->integer(place));
              all.set_integer(to, wrapping_sum(all.integer(to), product));
            }
          }
        }
      }
    }
    for (int64_t e = 0; e < y.size(); ++e) {
      const int64_t channel = e / (out[2] * out[3]) % out[1];
      if (sums.is_float()) {
        y.set_number(e, all.number(e) + (in.size() < 3 ? 0 : in[2]->number(channel)));
      } else {
        y.set_integer(e, wrap(sums, wrapping_sum(all.integer(e), in.size() < 3 ? 0 : in[2]->integer(channel))));
      }
    }
    return y;
  }
};

}  // namespace

Operator conv2d_transpose_operator() {
  Operator op;
  op.name = "conv2d_transpose";
  op.meaning = "every pixel times the kernel, added up where kernels overlap, and a bias";
  op.inputs = {{"x", "[n, c, h, w]: images"},
               {"weight", "[c, outputs / groups, rows, columns]"},
               {"bias", "[outputs]: what is added", OperatorInput::Count::kOptional}};
  op.attributes = {{"strides", "between the places of neighbouring pixels", Integers{1, 1}},
                   {"padding", "rows and columns that are cut off: top, left, bottom, right", Integers{0, 0, 0, 0}},
                   {"output_padding", "rows below and columns at the right that are added", Integers{0, 0}},
                   {"dilation", "steps between the kernel's places", Integers{1, 1}},
                   {"groups", "of channels, each with outputs of its own", int64_t{1}},
                   sums_field()};
  op.pattern = Pattern::kAnchor;
  op.infer = [](const OperatorCall& call) {
    const TransposedConvolution c(call);
    return std::vector{TensorType{c.sums, c.shape()}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{TransposedConvolution(call).define(in)};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{TransposedConvolution(call).reference(in)};
  };
  return op;
}

}  // namespace vantage::ops
