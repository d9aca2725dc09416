#include "compiler/ops/nn.h"

#include "base/error.h"
#include "base/shape/conv2d.h"
#include "compiler/te/te.h"

namespace vantage::ops {

using namespace te;
using ir::PrimFunc;
using te::Tensor;  // not the host's

namespace {

void require_float(const char* what, DType dtype) {
  if (!dtype.is_float()) fail("{}: the type is {}, expected a float", what, ir::name(dtype));
}

// The parts that softmax and its loss share.
struct Shifted {
  Tensor a, largest, shifted;
};

Shifted shift_rows(int64_t rows, int64_t columns, DType dtype) {
  Shifted s;
  s.a = placeholder({rows, columns}, dtype, "A");
  const ReduceAxis k = reduce_axis(columns, "k");
  s.largest = compute(
      {rows}, [&](Expr i) { return max(s.a(i, k), {k}); }, "largest");
  s.shifted = compute(
      {rows, columns}, [&](Expr i, Expr j) { return s.a(i, j) - s.largest(i); }, "shifted");
  return s;
}

}  // namespace

PrimFunc define_multiply(const std::vector<int64_t>& shape, DType dtype) {
  const std::vector<Expr> sizes(shape.begin(), shape.end());
  const Tensor a = placeholder(sizes, dtype, "A"), b = placeholder(sizes, dtype, "B");
  const Tensor c = compute(
      sizes,
      [&](const std::vector<Var>& x) {
        const std::vector<Expr> at(x.begin(), x.end());
        return a.at(at) * b.at(at);
      },
      "C");
  return create_prim_func({a, b, c}, "multiply");
}

PrimFunc define_row_sum(int64_t rows, int64_t columns, DType dtype) {
  const Tensor a = placeholder({rows, columns}, dtype, "A");
  const ReduceAxis j = reduce_axis(columns, "j");
  const Tensor b = compute(
      {rows}, [&](Expr i) { return sum(a(i, j), {j}); }, "B");
  return create_prim_func({a, b}, "row_sum");
}

PrimFunc define_row_max(int64_t rows, int64_t columns, DType dtype) {
  const Tensor a = placeholder({rows, columns}, dtype, "A");
  const ReduceAxis j = reduce_axis(columns, "j");
  const Tensor b = compute(
      {rows}, [&](Expr i) { return max(a(i, j), {j}); }, "B");
  return create_prim_func({a, b}, "row_max");
}

PrimFunc define_column_sum(int64_t rows, int64_t columns, DType dtype) {
  const Tensor a = placeholder({rows, columns}, dtype, "A");
  const ReduceAxis i = reduce_axis(rows, "i");
  const Tensor b = compute(
      {columns}, [&](Expr j) { return sum(a(i, j), {i}); }, "B");
  return create_prim_func({a, b}, "column_sum");
}

PrimFunc define_softmax(int64_t rows, int64_t columns, DType dtype) {
  require_float("softmax", dtype);
  const Shifted s = shift_rows(rows, columns, dtype);
  const Tensor power = compute(
      {rows, columns}, [&](Expr i, Expr j) { return exp(s.shifted(i, j)); }, "power");
  const ReduceAxis k = reduce_axis(columns, "k");
  const Tensor total = compute(
      {rows}, [&](Expr i) { return sum(power(i, k), {k}); }, "total");
  const Tensor b = compute(
      {rows, columns}, [&](Expr i, Expr j) { return power(i, j) / total(i); }, "B");
  return create_prim_func({s.a, b}, "softmax");
}

PrimFunc define_softmax_cross_entropy(int64_t rows, int64_t columns, DType dtype) {
  require_float("softmax_cross_entropy", dtype);
  const Shifted s = shift_rows(rows, columns, dtype);
  const Tensor label = placeholder({rows}, kInt32, "label");
  const ReduceAxis k = reduce_axis(columns, "k"), i = reduce_axis(rows, "i");
  const Tensor total = compute(
      {rows}, [&](Expr r) { return sum(exp(s.shifted(r, k)), {k}); }, "total");
  // log(exp(x) / total) is x - log(total).
  const Tensor loss = compute(
      {rows}, [&](Expr r) { return log(total(r)) - (s.a(r, label(r)) - s.largest(r)); }, "loss");
  const Tensor sum_of_losses = compute(
      {1}, [&](Expr) { return sum(loss(i), {i}); }, "sum_of_losses");
  const Tensor mean = compute(
      {1}, [&](Expr o) { return sum_of_losses(o) * ir::make_const(dtype, 1.0 / static_cast<double>(rows)); }, "L");
  return create_prim_func({s.a, label, mean}, "softmax_cross_entropy");
}

PrimFunc define_depthwise_conv2d(const DepthwiseShape& d, DType dtype) {
  const Conv2dShape s{.batch = d.batch,
                      .in_channels = d.channels,
                      .height = d.height,
                      .width = d.width,
                      .out_channels = d.channels,
                      .kernel_h = d.kernel,
                      .kernel_w = d.kernel,
                      .stride = d.stride,
                      .pad = d.pad};
  check_conv2d_shape(s);
  if (dtype != kFloat32 && dtype != kInt8) {
    fail("depthwise_conv2d: the type is {}, expected float32 or int8", ir::name(dtype));
  }
  const DType type = dtype == kInt8 ? kInt32 : kFloat32;
  const Tensor a = placeholder({d.batch, d.height, d.width, d.channels}, dtype, "A");
  const Tensor w = placeholder({d.kernel, d.kernel, d.channels}, dtype, "W");
  const ReduceAxis kh = reduce_axis(d.kernel, "kh"), kw = reduce_axis(d.kernel, "kw");
  const Tensor c = compute(
      {d.batch, s.out_height(), s.out_width(), d.channels},
      [&](Expr n, Expr y, Expr x, Expr channel) {
        const Expr row = y * d.stride + kh - d.pad, column = x * d.stride + kw - d.pad;
        Expr pixel = a(n, row, column, channel);
        if (d.pad > 0) {
          const Expr inside = row >= 0 && row < d.height && column >= 0 && column < d.width;
          pixel = if_then_else(inside, pixel, ir::make_zero(dtype));
        }
        return sum(cast(type, pixel) * cast(type, w(kh, kw, channel)), {kh, kw});
      },
      "C");
  return create_prim_func({a, w, c}, "depthwise_conv2d");
}

}  // namespace vantage::ops
