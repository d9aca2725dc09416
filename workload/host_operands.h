// The operands of a comparison as processors and GPUs take them.
//
// Thread safety: functions without state.
#pragma once

#include "base/shape/matmul.h"
#include "workload/measure.h"

namespace vantage::workload {

// int32 for bytes, and the same type for floats.
DType sum_type(DType dtype);
// REQUIRES: a matrix product.
MatmulShape matmul_shape(const Workload& workload, DType dtype);

// In this type: a matrix [m, k], or images [n][h][w][c].
Tensor host_inputs(const Comparison& comparison, DType dtype);
// A matrix [k, n], or weights [o][i][h][w].
Tensor host_weights(const Comparison& comparison, DType dtype);
// A matrix [m, n], or images [n][h][w][c]: the reference's order.
Tensor::Shape result_shape(const Workload& workload);

}  // namespace vantage::workload
