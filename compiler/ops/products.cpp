#include "compiler/ops/products.h"

#include "base/error.h"

namespace vantage::ops {

AttributeField sums_field() {
  return {"dtype", "of the sums; void: int32 of integers, else that of the inputs", DType::nothing()};
}

DType sums_type(const Attributes& attributes, const TensorType& a, const TensorType& b) {
  if (a.dtype != b.dtype) fail("the inputs are {} and {}, expected one type of elements", describe(a), describe(b));
  if (a.dtype.is_bool()) fail("the inputs are bool, expected numbers");
  const DType asked = attributes.type("dtype");
  if (asked.is_void()) return a.dtype.is_int() && a.dtype.bits() < 32 ? kInt32 : a.dtype;
  const bool is_alike = asked.code() == a.dtype.code() || (asked.is_float() && a.dtype.is_float());
  if (asked != a.dtype && (!is_alike || asked.bits() <= a.dtype.bits())) {
    fail("dtype is {}, expected one that holds {}", name(asked), name(a.dtype));
  }
  return asked;
}

void require_bias(const TensorType& bias, int64_t channels, DType sums) {
  const TensorType wanted = {sums, {channels}};
  if (bias != wanted) fail("bias is {}, expected {}", describe(bias), describe(wanted));
}

}  // namespace vantage::ops
