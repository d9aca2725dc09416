// What multiprocessors are made for.
//
// Sources: for float32 the table "Throughput of Native Arithmetic Instructions" of NVIDIA's CUDA C++ Programming Guide;
// for float16, bfloat16 and int8, on tensor cores, NVIDIA's white papers on the Turing, A100, GA102, Ada and H100
// architectures, whose numbers are without sparsity.
//
// Thread safety: a function without state.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/ir/dtype.h"

namespace vantage::cuda {

// How many products of operands of this type a multiprocessor of a compute capability (80 for 8.0) adds to sums of 32
// bits in a clock. Of 8.6 and 8.9 that is an A40's and an L40's; GeForce's do half of it in float16 and bfloat16.
// Nothing for a type or a generation that is not known.
std::optional<int64_t> products_per_clock(int capability, DType operand);

}  // namespace vantage::cuda
