// What convolutions and matrix products give, by plain loops: the one reference for every device.
//
// Inputs are [image][channel][row][column] and weights [out channel][in channel][row][column], dense; a matrix product
// is one of images of one pixel (as_conv2d), whose last dimensions may be left out.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <optional>

#include "base/shape/conv2d.h"
#include "base/tensor/tensor.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"

namespace vantage::workload {

// Called with the output rows done so far, of all images.
using RowsDone = std::function<void(uint64_t rows)>;

// The sums [image][row][column][channel]: int32, which wraps, of integers; float64 of floats. With `magnitudes` those
// of the absolute values, which bound what rounding may do. The batch is the inputs', whatever `shape` says.
Tensor conv2d_sums(const Conv2dShape& shape, const Tensor& inputs, const Tensor& weights,
                   const RowsDone& done = nullptr, bool magnitudes = false);

// What is left of an integer sum of this output channel with this bias: clip((sum + bias) >> shift), the sum with its
// bias wrapping at `acc_bits`.
int32_t finish(int32_t sum, int32_t bias, const ops::Epilogue& epilogue, int acc_bits = 32);

// A whole layer as the accelerator gives it: [image][channel][row][column], of the smallest of int8, int16 and int32
// that holds the configuration's outputs. `bias`: one integer per output channel.
Tensor conv2d_reference(const isa::Config& config, const Conv2dShape& shape, const ops::Epilogue& epilogue,
                        const Tensor& inputs, const Tensor& weights, const std::optional<Tensor>& bias,
                        const RowsDone& done = nullptr);

// "first mismatch at ...", empty when equal: of two tensors [image][channel][row][column], or of matrices.
std::string first_difference(const Tensor& expected, const Tensor& got);

}  // namespace vantage::workload
