#include "compiler/ops/broadcast.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"

namespace vantage::ops {

Tensor::Shape broadcast(const Tensor::Shape& a, const Tensor::Shape& b) {
  Tensor::Shape result(std::max(a.size(), b.size()));
  for (size_t back = 1; back <= result.size(); ++back) {
    const int64_t x = back <= a.size() ? a[a.size() - back] : 1, y = back <= b.size() ? b[b.size() - back] : 1;
    if (x != y && x != 1 && y != 1) {
      fail("shapes [{}] and [{}] do not repeat along each other: {} and {} face each other, expected one size, or 1",
           fmt::join(a, ", "), fmt::join(b, ", "), x, y);
    }
    result[result.size() - back] = x == 1 ? y : x;  // of nothing and of one there is nothing
  }
  return result;
}

int64_t broadcast_element(const Tensor::Shape& shape, const Tensor::Shape& index) {
  int64_t element = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    element = element * shape[d] + (shape[d] == 1 ? 0 : index[index.size() - shape.size() + d]);
  }
  return element;
}

void require_same_dtype(const TensorType& a, const TensorType& b, std::string_view name_a, std::string_view name_b) {
  if (a.dtype == b.dtype) return;
  fail("{} is {} and {} is {}, expected one type; cast one of them", name_a, name(a.dtype), name_b, name(b.dtype));
}

}  // namespace vantage::ops
