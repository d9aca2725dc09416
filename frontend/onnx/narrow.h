// Elements of fewer bits than tensors have, as weights are stored in files: integers of 2 and 4 bits, several in a
// byte, and floats of 4 and 8. They are read as the narrowest type that holds all of their values.
//
// Thread safety: values and functions without state.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/tensor/tensor.h"

namespace vantage::onnx_models {

struct NarrowType {
  int64_t data_type;  // ONNX's number
  std::string_view name;
  int bits;     // of an element
  DType dtype;  // which holds its values
  // Of floats: bits of the exponent and of the fraction, and what the exponent is counted from.
  int exponent = 0, fraction = 0, bias = 0;
  enum class Special : uint8_t { kNone, kLikeIeee, kLastIsNan, kMinusZeroIsNan } special = Special::kNone;
};

// Null for any other type.
const NarrowType* find_narrow(int64_t data_type);

// Bytes that so many elements take.
uint64_t narrow_bytes(const NarrowType& type, uint64_t count);
// Sets all elements of `tensor`. REQUIRES: its type is `type.dtype`, and there are narrow_bytes() of its elements.
void read_narrow(const NarrowType& type, std::string_view bytes, Tensor& tensor);

}  // namespace vantage::onnx_models
