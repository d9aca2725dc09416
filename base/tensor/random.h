// Random contents of tensors, the same for the same generator on every platform.
//
// Thread safety: functions without state beside the generator that they are given.
#pragma once

#include <random>

#include "base/tensor/tensor.h"

namespace vantage {

// Any integers of the type; floats from -1 to 1.
void fill(Tensor& tensor, std::mt19937_64& random);
// Whole numbers from `min` to `max`: small ones add up without rounding, in whatever order.
void fill(Tensor& tensor, std::mt19937_64& random, int64_t min, int64_t max);

// An integer that uses an eighth of the range of `bits` (at most 32), so that sums of products stay mostly inside what
// a shift and limits leave.
int32_t random_value(int bits, std::mt19937_64& random);
// A tensor of these. REQUIRES: `dtype` is an integer of at least `bits`.
Tensor random_tensor(DType dtype, Tensor::Shape shape, int bits, std::mt19937_64& random);

}  // namespace vantage
