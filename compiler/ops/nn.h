// Operators of neural networks that no accelerator instruction stands for, as formulas for any shape.
#pragma once

#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::ops {

// C = A * B, element by element, of any rank. Parameters A, B, C.
ir::PrimFunc define_multiply(const std::vector<int64_t>& shape, ir::DType dtype);

// B[i] = sum over j of A[i, j], or the largest. Parameters A, B.
ir::PrimFunc define_row_sum(int64_t rows, int64_t columns, ir::DType dtype);
ir::PrimFunc define_row_max(int64_t rows, int64_t columns, ir::DType dtype);
// B[j] = sum over i of A[i, j]. Parameters A, B.
ir::PrimFunc define_column_sum(int64_t rows, int64_t columns, ir::DType dtype);

// B[i, j] = exp(A[i, j] - m[i]) / sum over k of exp(A[i, k] - m[i]), with m[i] the largest of row i, so that no exp
// overflows. Parameters A, B; floats.
ir::PrimFunc define_softmax(int64_t rows, int64_t columns, ir::DType dtype);

// The loss of a classifier: L[0] = mean over i of -log softmax(A)[i, label[i]], without ever dividing. Labels are int32
// from 0 to columns - 1. Parameters A, label, L; floats.
ir::PrimFunc define_softmax_cross_entropy(int64_t rows, int64_t columns, ir::DType dtype);

// A convolution of every channel by itself: A is [batch][height][width][channels], W [kernel rows][kernel
// columns][channels], C like A with the output's height and width. float32, or int8 summed in int32. Parameters A, W,
// C.
struct DepthwiseShape {
  int64_t batch = 1, channels = 1, height = 1, width = 1, kernel = 1, stride = 1, pad = 0;
};
ir::PrimFunc define_depthwise_conv2d(const DepthwiseShape& shape, ir::DType dtype);

}  // namespace vantage::ops
