// Single layers as a GPU computes them: graphs of one call, as networks have them there.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>

#include "base/shape/conv2d.h"
#include "base/tensor/dtype.h"
#include "compiler/graph/graph.h"

namespace vantage::workload {

// Both give integers the sums as they are, and floats their own type: those of 16 bits are summed in float32 and
// rounded once.

// A [m, k] times B [k, n].
graph::Graph matmul_for_gpu(int64_t m, int64_t n, int64_t k, DType dtype);
// Images A [n, c, h, w] with kernels W [rows, columns, c, outputs] (compiler/network/pixel_convolutions.h).
graph::Graph conv2d_for_gpu(const Conv2dShape& shape, DType dtype);

}  // namespace vantage::workload
