// Shapes that repeat along each other, as in NumPy: the last dimensions face each other, then those before them; a
// dimension that one lacks, or in which it has size 1, repeats its elements.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/tensor/type.h"

namespace vantage::ops {

// The shape of all together. Throws Error for shapes that do not repeat along each other, with both of them.
Tensor::Shape broadcast(const Tensor::Shape& a, const Tensor::Shape& b);

// The number of the element of a tensor of shape `shape` that stands at `index` of the shape of all.
int64_t broadcast_element(const Tensor::Shape& shape, const Tensor::Shape& index);

// Throws Error unless both have one type.
void require_same_dtype(const TensorType& a, const TensorType& b, std::string_view name_a, std::string_view name_b);

}  // namespace vantage::ops
