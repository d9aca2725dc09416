#include "compiler/ops/top_k/top_k.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;
using te::Var;

// An element's rank is how many are before it: all ranks at once, no one waits for another.
std::vector<te::Tensor> top_k_formula(const OperatorCall& call, const te::Tensor& x) {
  const Tensor::Shape& shape = call.inputs[0].shape;
  const size_t axis = axis_of(call);
  const bool largest = call.attributes.flag("largest");
  Tensor::Shape chosen = shape;
  chosen[axis] = call.attributes.integer("k");
  const auto with = [&](const std::vector<Var>& i, const Expr& place) {
    std::vector<Expr> at = indices(i);
    at[axis] = place;
    return at;
  };
  const ReduceAxis other = te::reduce_axis(shape[axis], "other"), from = te::reduce_axis(shape[axis], "from");
  const te::Tensor rank = te::compute(
      sizes(shape),
      [&](const std::vector<Var>& i) {
        const Expr mine = x.at(indices(i)), its = x.at(with(i, other));
        const Expr is_before = (largest ? its > mine : its < mine) || (its == mine && Expr(other) < Expr(i[axis]));
        return te::sum(ir::cast(ir::kIndex, is_before), {other});
      },
      "rank");
  const te::Tensor place = te::compute(
      sizes(chosen),
      [&](const std::vector<Var>& i) {
        const Expr is_here = rank.at(with(i, from)) == i[axis];
        return te::sum(ir::if_then_else(is_here, Expr(from), 0), {from});
      },
      "places");
  const te::Tensor values = te::compute(
      sizes(chosen), [&](const std::vector<Var>& i) { return x.at(with(i, place.at(indices(i)))); }, "values");
  return {values, place};
}

std::vector<Tensor> top_k_reference(const OperatorCall& call, const Tensor& x) {
  const size_t axis = axis_of(call);
  const bool largest = call.attributes.flag("largest");
  const int64_t k = call.attributes.integer("k"), count = x.extent(axis);
  int64_t inner = 1;
  for (size_t d = axis + 1; d < x.rank(); ++d) inner *= x.extent(d);
  Tensor::Shape chosen = x.shape();
  chosen[axis] = k;
  Tensor values(x.dtype(), chosen), places(kInt32, chosen);
  for (int64_t o = 0; o < x.size() / (count * inner); ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const auto at = [&](int64_t n) { return (o * count + n) * inner + i; };
      std::vector<int64_t> order(static_cast<size_t>(count));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        if (x.dtype().is_float())
          return largest ? x.number(at(a)) > x.number(at(b)) : x.number(at(a)) < x.number(at(b));
        return largest ? x.integer(at(a)) > x.integer(at(b)) : x.integer(at(a)) < x.integer(at(b));
      });
      for (int64_t n = 0; n < k; ++n) {
        const int64_t to = (o * k + n) * inner + i, from = order[static_cast<size_t>(n)];
        values.set(to, x.get(at(from)));
        places.set_integer(to, from);
      }
    }
  }
  std::vector<Tensor> both;
  both.push_back(std::move(values));
  both.push_back(std::move(places));
  return both;
}

}  // namespace

Operator top_k_operator() {
  Operator op;
  op.name = "top_k";
  op.meaning =
      "the k greatest elements along an axis in order, of equals the first one first, and where they are, int32";
  op.inputs = {{"x", "any shape but a scalar, numbers"}};
  op.attributes = {{.name = "k", .meaning = "how many", .standard = int64_t{1}, .is_required = true},
                   {"axis", "along which; -1 is the last one", int64_t{-1}},
                   {"largest", "the greatest; else the least", true}};
  op.infer = [](const OperatorCall& call) {
    TensorType x = call.inputs[0];
    if (x.dtype.is_bool()) fail("x is {}, expected numbers", describe(x));
    const size_t axis = axis_of(call);
    const int64_t k = call.attributes.integer("k");
    if (k < 1 || k > x.shape[axis]) fail("k is {}, expected 1 to the {} of axis {}", k, x.shape[axis], axis);
    x.shape[axis] = k;
    return std::vector{x, TensorType{kInt32, x.shape}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) { return top_k_formula(call, in[0]); };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return top_k_reference(call, *in[0]);
  };
  return op;
}

}  // namespace vantage::ops
