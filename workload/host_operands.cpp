#include "workload/host_operands.h"

namespace vantage::workload {

DType sum_type(DType dtype) {
  return dtype == kInt8 ? kInt32 : dtype;
}

MatmulShape matmul_shape(const Workload& w, DType dtype) {
  return {.m = w.shape.batch, .n = w.shape.out_channels, .k = w.shape.in_channels, .dtype = dtype};
}

Tensor host_inputs(const Comparison& c, DType dtype) {
  const Conv2dShape& s = c.workload.shape;
  Tensor pixels = c.operands.inputs.converted(dtype).permuted({0, 2, 3, 1});
  return c.workload.is_matmul ? std::move(pixels).reshaped({s.batch, s.in_channels}) : pixels;
}

Tensor host_weights(const Comparison& c, DType dtype) {
  const Conv2dShape& s = c.workload.shape;
  Tensor weights = c.operands.weights.converted(dtype);
  if (!c.workload.is_matmul) return weights;
  return std::move(weights).reshaped({s.out_channels, s.in_channels}).permuted({1, 0});
}

Tensor::Shape result_shape(const Workload& w) {
  const Conv2dShape& s = w.shape;
  if (w.is_matmul) return {s.batch, s.out_channels};
  return {s.batch, s.out_height(), s.out_width(), s.out_channels};
}

}  // namespace vantage::workload
