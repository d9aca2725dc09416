// The sizes of a matrix product, whatever computes it.
#pragma once

#include <cstdint>
#include <optional>

#include "base/tensor/dtype.h"

namespace vantage {

// In elements. A is [m, k], or [k, m] when transposed; B is [k, n], or [n, k]; C is [m, n]. With `batch` all three have
// it in front. Floats are summed in float32, int8 in int32, which is then C's type.
struct MatmulShape {
  int64_t m = 1, n = 1, k = 1;
  DType dtype = kFloat32;
  bool transpose_a = false, transpose_b = false;
  std::optional<int64_t> batch = {};

  DType result() const { return dtype == kInt8 ? kInt32 : dtype; }
  // Additions and multiplications.
  int64_t operations() const { return 2 * batch.value_or(1) * m * n * k; }
  bool operator==(const MatmulShape&) const = default;
};

}  // namespace vantage
