// Tensors computed element by element.
//
//   Tensor c = compute({n}, [&](Expr i) { return a(i) + b(i); }, "C");
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compiler/te/tensor.h"

namespace vantage::te {

// What a body makes of the axes: values, or a reduction.
struct Body {
  std::vector<Expr> values;
  std::shared_ptr<const Reduction> reduction;

  Body(Expr value) : values{std::move(value)} {}                               // NOLINT(google-explicit-constructor)
  Body(Var value) : values{std::move(value)} {}                                // NOLINT(google-explicit-constructor)
  Body(std::vector<Expr> tuple) : values(std::move(tuple)) {}                  // NOLINT(google-explicit-constructor)
  Body(Reduction r) : reduction(std::make_shared<Reduction>(std::move(r))) {}  // NOLINT(google-explicit-constructor)
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Body(T literal) : values{Expr(literal)} {}  // NOLINT(google-explicit-constructor)
};

namespace detail {

// Axes over a shape, named i, j, k, l, ... by position, each of the type of its size: int64 where that is beyond int32.
std::vector<Var> make_axes(const std::vector<Expr>& shape);
std::vector<Tensor> make_compute(const std::vector<Expr>& shape, std::vector<Var> axes, const Body& body,
                                 std::string name);
[[noreturn]] void wrong_rank(const std::string& name, size_t rank, size_t arity);
[[noreturn]] void not_one_value(const std::string& name, size_t values);

template <typename Function, size_t... I>
Body call(const Function& function, const std::vector<Var>& axes, std::index_sequence<I...>) {
  return function(static_cast<const Expr&>(axes[I])...);
}

template <typename Function, size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return std::is_invocable_v<Function, decltype((void)I, std::declval<Expr>())...>;
}

// The number of indices that a function takes, 0 to 8.
template <typename Function, size_t N = 0>
constexpr size_t arity() {
  constexpr bool kTakes = takes<Function>(std::make_index_sequence<N>());
  static_assert(kTakes || N < 8, "a compute's body takes up to 8 indices, or one std::vector<Var>");
  if constexpr (kTakes || N == 8) {
    return N;
  } else {
    return arity<Function, N + 1>();
  }
}

template <typename Function>
std::vector<Tensor> compute(std::vector<Expr> shape, const Function& function, std::string name) {
  const std::vector<Var> axes = make_axes(shape);
  if constexpr (std::is_invocable_v<Function, const std::vector<Var>&>) {
    return make_compute(shape, axes, function(axes), std::move(name));
  } else {
    constexpr size_t kArity = arity<Function>();
    if (kArity != shape.size()) wrong_rank(name, shape.size(), kArity);
    return make_compute(shape, axes, call(function, axes, std::make_index_sequence<kArity>()), std::move(name));
  }
}

}  // namespace detail

// `body` takes one Expr per dimension, or all as a vector, and returns an Expr or a Reduction. Throws Error when it
// takes another number of indices than the shape has, or makes more than one value.
template <typename Function>
Tensor compute(std::vector<Expr> shape, const Function& body, std::string name = "compute") {
  std::vector<Tensor> tensors = detail::compute(std::move(shape), body, name);
  if (tensors.size() != 1) detail::not_one_value(name, tensors.size());
  return tensors.front();
}

// The same for a body that makes several values: a vector of Expr, or a reduction of several. One tensor each.
template <typename Function>
std::vector<Tensor> compute_tuple(std::vector<Expr> shape, const Function& body, std::string name = "compute") {
  return detail::compute(std::move(shape), body, std::move(name));
}

}  // namespace vantage::te
