#include "compiler/ops/softmax/softmax.h"

#include <cmath>

#include "base/error.h"
#include "compiler/ops/mean.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;
using te::Var;

te::Tensor define_softmax(bool is_log, const OperatorCall& call, const te::Tensor& x) {
  const Tensor::Shape& shape = call.inputs[0].shape;
  const size_t axis = axis_of(call.attributes.integer("axis"), shape.size());
  Tensor::Shape others = shape;
  others.erase(others.begin() + static_cast<ptrdiff_t>(axis));
  const ReduceAxis k = te::reduce_axis(shape[axis], "k"), m = te::reduce_axis(shape[axis], "m");
  // The element of `at`, which lacks the axis, that is number `place` along it.
  const auto along = [&](const std::vector<Var>& at, const Expr& place) {
    std::vector<Expr> index = indices(at);
    index.insert(index.begin() + static_cast<ptrdiff_t>(axis), place);
    return index;
  };
  const auto without = [&](const std::vector<Var>& at) {
    std::vector<Expr> index = indices(at);
    index.erase(index.begin() + static_cast<ptrdiff_t>(axis));
    return index;
  };
  const ir::DType sums = type_of_sums(x.dtype());
  const te::Tensor largest = te::compute(
      sizes(others), [&](const std::vector<Var>& i) { return te::max(x.at(along(i, m)), {m}); }, "largest");
  const te::Tensor shifted = te::compute(
      sizes(shape),
      [&](const std::vector<Var>& i) {
        return ir::cast(sums, x.at(indices(i))) - ir::cast(sums, largest.at(without(i)));
      },
      "shifted");
  const te::Tensor power = te::map(
      shifted, [](const Expr& e) { return te::exp(e); }, "power");
  const te::Tensor total = te::compute(
      sizes(others), [&](const std::vector<Var>& i) { return te::sum(power.at(along(i, k)), {k}); }, "total");
  if (is_log) {
    return te::compute(
        sizes(shape),
        [&](const std::vector<Var>& i) {
          return ir::cast(x.dtype(), shifted.at(indices(i)) - te::log(total.at(without(i))));
        },
        "log_softmax");
  }
  return te::compute(
      sizes(shape),
      [&](const std::vector<Var>& i) { return ir::cast(x.dtype(), power.at(indices(i)) / total.at(without(i))); },
      "softmax");
}

Tensor softmax_reference(bool is_log, const OperatorCall& call, const Tensor& x) {
  const size_t axis = axis_of(call.attributes.integer("axis"), x.rank());
  int64_t inner = 1;
  for (size_t d = axis + 1; d < x.rank(); ++d) inner *= x.extent(d);
  const int64_t count = x.extent(axis), outer = x.size() / (count * inner);
  Tensor y(x.dtype(), x.shape());
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const auto at = [&](int64_t k) { return (o * count + k) * inner + i; };
      double largest = x.number(at(0)), total = 0;
      for (int64_t k = 1; k < count; ++k) largest = std::max(largest, x.number(at(k)));
      for (int64_t k = 0; k < count; ++k) total += std::exp(x.number(at(k)) - largest);
      for (int64_t k = 0; k < count; ++k) {
        const double shifted = x.number(at(k)) - largest;
        y.set_number(at(k), is_log ? shifted - std::log(total) : std::exp(shifted) / total);
      }
    }
  }
  return y;
}

Operator softmax_operator(std::string name, std::string meaning, bool is_log) {
  Operator op;
  op.name = std::move(name);
  op.meaning = std::move(meaning);
  op.inputs = {{"x", "any shape but a scalar, floats"}};
  op.attributes = {{"axis", "whose elements add up to 1; -1 is the last one", int64_t{-1}}};
  op.pattern = Pattern::kOpaque;
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    if (!x.dtype.is_float()) fail("x is {}, expected floats", describe(x));
    axis_of(call.attributes.integer("axis"), x.shape.size());
    return std::vector{x};
  };
  op.define = [is_log](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{define_softmax(is_log, call, in[0])};
  };
  op.reference = [is_log](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{softmax_reference(is_log, call, *in[0])};
  };
  return op;
}

}  // namespace

std::vector<Operator> softmax_operators() {
  return {softmax_operator("softmax", "exp(x) by its sum along an axis", false),
          softmax_operator("log_softmax", "the logarithm of softmax", true)};
}

}  // namespace vantage::ops
