// Stages that are formulas of elements, written on whole tensors.
//
//   Tensor y = relu(a + b * 2);               // three stages: multiply, add, relu
//   Tensor c = cast(kInt8, y).named("C");
//   Tensor g = map(x, y, [](Expr a, Expr b) { return exp(a) * b; }, "G");   // one
//
// Each makes one compute, of one block. Its name is that of the function ("relu"), or for an operator what it does
// ("add", "multiply"), unless another is given; create_prim_func numbers names that come again. Elements follow the
// rules of expressions (compiler/ir/expr.h): both of one type, a literal takes the type of the tensor, nothing else is
// converted in silence.
//
// Two tensors of different shapes are broadcast as in NumPy. The last dimensions face each other, then those before
// them; a dimension that one tensor lacks, or in which it has the constant size 1, repeats its elements. All other
// sizes must be the same, symbols too. Throw Error for shapes that are not, with both of them, and for types that do
// not fit.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "compiler/te/compute.h"

namespace vantage::te {

namespace detail {

// The shape of both together.
std::vector<Expr> broadcast_shape(const Tensor& a, const Tensor& b, const std::string& name);
// The element that stands at `indices` of such a shape.
Expr broadcast_at(const Tensor& tensor, const std::vector<Expr>& shape, const std::vector<Var>& indices);

}  // namespace detail

// f(element), and f(element of a, element of b).
template <typename Function>
Tensor map(const Tensor& x, const Function& f, std::string name = "map") {
  return compute(
      x.shape(),
      [&](const std::vector<Var>& i) {
        return f(x.at({i.begin(), i.end()}));
      },
      std::move(name));
}
template <typename Function>
Tensor map(const Tensor& a, const Tensor& b, const Function& f, std::string name = "map") {
  const std::vector<Expr> shape = detail::broadcast_shape(a, b, name);
  const auto at = [&](const Tensor& t, const std::vector<Var>& i) { return detail::broadcast_at(t, shape, i); };
  return compute(
      shape, [&](const std::vector<Var>& i) { return f(at(a, i), at(b, i)); }, std::move(name));
}

// A tensor, or a scalar beside one.
class Operand {
 public:
  Operand(Tensor tensor) : tensor_(std::move(tensor)) {}  // NOLINT(google-explicit-constructor)
  Operand(Expr scalar) : scalar_(std::move(scalar)) {}    // NOLINT(google-explicit-constructor)
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Operand(T literal) : scalar_(literal) {}  // NOLINT(google-explicit-constructor)

  const Tensor& tensor() const { return tensor_; }  // not defined for a scalar
  const Expr& scalar() const { return scalar_; }

 private:
  Tensor tensor_;
  Expr scalar_;
};

// Of which at least one is a tensor. `/` is for floats, as it is between expressions; shifts and what follows are for
// integers.
Tensor operator+(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a, const Operand& b);
Tensor operator*(const Operand& a, const Operand& b);
Tensor operator/(const Operand& a, const Operand& b);
Tensor operator<<(const Operand& a, const Operand& b);
Tensor operator>>(const Operand& a, const Operand& b);
Tensor operator&(const Operand& a, const Operand& b);
Tensor operator|(const Operand& a, const Operand& b);
Tensor operator^(const Operand& a, const Operand& b);
Tensor operator-(const Tensor& x);

Tensor max(const Tensor& a, const Operand& b, std::string name = "max");
Tensor min(const Tensor& a, const Operand& b, std::string name = "min");
// min(max(x, low), high).
Tensor clip(const Tensor& x, const Expr& low, const Expr& high, std::string name = "clip");
// max(x, 0).
Tensor relu(const Tensor& x, std::string name = "relu");
Tensor cast(DType dtype, const Tensor& x, std::string name = "cast");

}  // namespace vantage::te
