// What is known of a tensor without its elements.
//
// Thread safety: values and functions without state.
#pragma once

#include <string>

#include "base/tensor/tensor.h"

namespace vantage {

struct TensorType {
  DType dtype;
  Tensor::Shape shape;  // in elements

  int64_t size() const;
  uint64_t bytes() const { return dense_bytes(dtype, shape); }
  bool operator==(const TensorType&) const = default;
};

TensorType type_of(const Tensor& tensor);

// "float32[4, 8]".
std::string describe(const TensorType& type);

}  // namespace vantage
