// Tensors of integers as a device takes and gives them: lanes of so many bits one after another, in row-major order.
//
// Thread safety: functions without state.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/tensor/type.h"
#include "base/units.h"

namespace vantage {

// Values are cut to their low bits; zeros in what is left of `size` bytes. REQUIRES: a dense tensor that fits there.
std::vector<std::byte> pack_lanes(const Tensor& values, int bits, Bytes size);
// The inverse, sign-extended. REQUIRES: bytes of all elements, and a type of integers.
Tensor unpack_lanes(std::span<const std::byte> bytes, const TensorType& type, int bits);

}  // namespace vantage
