// What is compared: one operator on one set of random operands, and its result by plain loops.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/dtype.h"
#include "compiler/ops/conv2d/shape.h"
#include "compiler/ops/epilogue.h"
#include "compiler/ops/tile_layout.h"

namespace vantage::cli {

// A matrix product is a convolution of m images of one pixel.
struct CompareWorkload {
  std::string name;  // "conv C2"
  ops::Conv2dShape shape;
  bool is_matmul = false;
  ir::DType dtype = ir::kInt8;
  ops::Epilogue epilogue;  // what accelerators, and convolutions of bytes on cpu:, do with the sums
};

struct Operands {
  // [image][channel][row][column] and [out channel][in channel][row][column]. Numbers that the type holds; of bytes
  // small ones, whose sums a float32 holds exactly.
  std::vector<double> inputs, weights;
  std::vector<int32_t> bias;  // empty: none

  ops::Images input_images(const ops::Conv2dShape& shape) const;
  ops::Images weight_images(const ops::Conv2dShape& shape) const;
};

Operands random_operands(const CompareWorkload& workload, uint64_t seed);

// The sums, [image][row][column][channel], in double precision, and the sums of their terms' magnitudes, which bound
// what rounding may do.
struct Reference {
  std::vector<double> sums, magnitudes;
};
Reference reference(const CompareWorkload& workload, const Operands& operands);

// What the epilogue makes of a sum.
int32_t finished(const CompareWorkload& workload, const Operands& operands, double sum, size_t channel);

// Whether numbers of the workload's sums agree with the reference: exactly for integers; floats of n terms within (n +
// 1) roundings of float32 of their magnitudes, and one rounding to the result's type. Empty, or the first difference.
std::string difference(const CompareWorkload& workload, const Reference& expected, const std::vector<double>& got,
                       ir::DType result);

}  // namespace vantage::cli
