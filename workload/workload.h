// What is compared: one operator on one set of random operands, and its result by plain loops.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/shape/conv2d.h"
#include "base/tensor/tensor.h"
#include "compiler/ops/epilogue.h"
#include "workload/conv2d_reference.h"

namespace vantage::workload {

// A convolution. A matrix product is one of images of one pixel.
struct Workload {
  std::string name;  // "conv C2"
  Conv2dShape shape;
  bool is_matmul = false;
  DType dtype = kInt8;
  ops::Epilogue epilogue;  // what accelerators, and convolutions of bytes on cpu:, do with the sums
};

struct Operands {
  // [image][channel][row][column] and [out channel][in channel][row][column], of the workload's type; of bytes small
  // numbers, whose sums a float32 holds exactly.
  Tensor inputs, weights;
  std::optional<Tensor> bias;  // int32 [1][out channel]

  int32_t bias_of(int64_t channel) const { return bias ? bias->values<int32_t>()[static_cast<size_t>(channel)] : 0; }
};

Operands random_operands(const Workload& workload, uint64_t seed);

// The sums, [image][row][column][channel], and of floats the sums of their terms' magnitudes, which bound what rounding
// may do.
struct Reference {
  Tensor sums;
  std::optional<Tensor> magnitudes;
};
Reference reference(const Workload& workload, const Operands& operands, const RowsDone& done = nullptr);

// Whether sums in the reference's order agree with it: exactly for integers; floats of n terms within (n + 1) roundings
// of float32 of their magnitudes, and one rounding to the type of `got`. Empty, or the first difference.
std::string difference(const Workload& workload, const Reference& expected, const Tensor& got);

// Whether results of the workload's epilogue, in the reference's order, are those of its sums. Empty, or the first
// difference.
std::string finished_difference(const Workload& workload, const Operands& operands, const Reference& expected,
                                const Tensor& got, int acc_bits = 32);

}  // namespace vantage::workload
