#include "base/tensor/type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>

namespace vantage {

int64_t TensorType::size() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

TensorType type_of(const Tensor& tensor) {
  return {tensor.dtype(), tensor.shape()};
}

std::string describe(const TensorType& type) {
  return fmt::format("{}[{}]", name(type.dtype), fmt::join(type.shape, ", "));
}

}  // namespace vantage
