#include "workload/gpu_graph.h"

#include "compiler/ops/conv2d/pixel_conv2d.h"

namespace vantage::workload {

using graph::Graph;
using graph::Value;
using ops::Integers;

namespace {

// Of integers as their operators have it: int32.
DType sums_of(DType dtype) {
  return dtype.is_narrow_float() ? kFloat32 : DType::nothing();
}

Graph with_result(Graph g, Value sums, DType dtype) {
  g.set_outputs({dtype.is_narrow_float() ? g.call("cast", {sums}, {{"dtype", dtype}}, "D") : sums});
  return g;
}

}  // namespace

Graph matmul_for_gpu(int64_t m, int64_t n, int64_t k, DType dtype) {
  Graph g("matmul");
  const Value a = g.input("A", {dtype, {m, k}}), b = g.input("B", {dtype, {k, n}});
  const Value c = g.call("matmul", {a, b}, {{"dtype", sums_of(dtype)}}, "C");
  return with_result(std::move(g), c, dtype);
}

Graph conv2d_for_gpu(const Conv2dShape& s, DType dtype) {
  Graph g("conv2d");
  const Value a = g.input("A", {dtype, {s.batch, s.in_channels, s.height, s.width}});
  const Value w = g.input("W", {dtype, {s.kernel_h, s.kernel_w, s.in_channels, s.out_channels}});
  const Value c = g.call("pixel_conv2d", {a, w},
                         {{"strides", Integers{s.stride.rows, s.stride.columns}},
                          {"padding", Integers{s.pad.top, s.pad.left, s.pad.bottom, s.pad.right}},
                          {"dilation", Integers{s.dilation.rows, s.dilation.columns}},
                          {"pixels", ops::pixels_of_tile(s.batch * s.out_height() * s.out_width())},
                          {"dtype", sums_of(dtype)}},
                         "C");
  return with_result(std::move(g), c, dtype);
}

}  // namespace vantage::workload
