// The tensors of a program as arrays of numbers: what a user's files hold.
//
// An array has one value for every lane: [elements][rows][columns], where an element of INP is BATCH x BLOCK_IN, one of
// WGT BLOCK_OUT x BLOCK_IN, and one of ACC, ACC8 and OUT BATCH x BLOCK_OUT (docs/isa.md section 1). Nothing is moved
// between elements: how a matrix is cut into them is the program's affair.
//
// Thread safety: functions without state.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/tensor/tensor.h"
#include "hw/isa/config.h"
#include "hw/program/program.h"

namespace vantage::workload {

Tensor::Shape shape_of(const ProgramTensor& tensor, const isa::Config& config);
// The smallest of int8, int16 and int32 that holds a lane.
DType dtype_of(const ProgramTensor& tensor, const isa::Config& config);

// The bytes of `values`, which may have any shape of as many values as shape_of says, in row-major order. Throws Error,
// beginning with `source`, for another type, another number of values, or one that does not fit its lane.
std::vector<std::byte> pack(const ProgramTensor& tensor, const isa::Config& config, const Tensor& values,
                            std::string_view source);
// The inverse. REQUIRES: bytes of the whole tensor.
Tensor unpack(const ProgramTensor& tensor, const isa::Config& config, std::span<const std::byte> bytes);

}  // namespace vantage::workload
