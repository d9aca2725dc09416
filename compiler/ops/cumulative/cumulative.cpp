#include "compiler/ops/cumulative/cumulative.h"

#include "base/error.h"
#include "compiler/ops/mean.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;
using te::Var;

// Every element anew from those before it: they are few, and independent of each other.
te::Tensor cumulative_formula(bool is_sum, const OperatorCall& call, const te::Tensor& x) {
  const Tensor::Shape& shape = call.inputs[0].shape;
  const size_t axis = axis_of(call);
  const bool exclusive = call.attributes.flag("exclusive"), reverse = call.attributes.flag("reverse");
  const ReduceAxis k = te::reduce_axis(shape[axis], "k");
  const DType sums = x.dtype().is_float() ? type_of_sums(x.dtype()) : x.dtype();  // integers wrap
  const te::Tensor all = te::compute(
      sizes(shape),
      [&](const std::vector<Var>& i) {
        std::vector<Expr> at = indices(i);
        at[axis] = k;
        const Expr here = i[axis], there = k;
        const Expr counts =
            reverse ? (exclusive ? there > here : there >= here) : (exclusive ? there < here : there <= here);
        const Expr identity = ir::make_const(sums, is_sum ? 0 : 1);
        const Expr value = ir::if_then_else(counts, ir::cast(sums, x.at(at)), identity);
        return is_sum ? te::sum(value, {k}) : te::product(value, {k});
      },
      is_sum ? "cumsum" : "cumprod");
  if (sums == x.dtype()) return all;
  return te::map(
      all, [&](const Expr& e) { return ir::cast(x.dtype(), e); }, "rounded");
}

Tensor cumulative_reference(bool is_sum, const OperatorCall& call, const Tensor& x) {
  const size_t axis = axis_of(call);
  const bool exclusive = call.attributes.flag("exclusive"), reverse = call.attributes.flag("reverse");
  int64_t inner = 1;
  for (size_t d = axis + 1; d < x.rank(); ++d) inner *= x.extent(d);
  const int64_t count = x.extent(axis), outer = x.size() / (count * inner);
  Tensor y(x.dtype(), x.shape());
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      double number = is_sum ? 0 : 1;
      uint64_t integer = is_sum ? 0 : 1;
      for (int64_t step = 0; step < count; ++step) {
        const int64_t at = (o * count + (reverse ? count - 1 - step : step)) * inner + i;
        const auto put = [&] {
          if (x.dtype().is_float()) {
            y.set_number(at, number);
          } else {
            y.set_integer(at, wrap(x.dtype(), static_cast<int64_t>(integer)));
          }
        };
        if (exclusive) put();
        if (x.dtype().is_float()) {
          number = is_sum ? number + x.number(at) : number * x.number(at);
        } else {
          const auto value = static_cast<uint64_t>(x.integer(at));
          integer = is_sum ? integer + value : integer * value;
        }
        if (!exclusive) put();
      }
    }
  }
  return y;
}

Operator cumulative(std::string name, std::string meaning, bool is_sum) {
  Operator op;
  op.name = std::move(name);
  op.meaning = std::move(meaning);
  op.inputs = {{"x", "any shape but a scalar, numbers"}};
  op.attributes = {{"axis", "along which; -1 is the last one", int64_t{-1}},
                   {"exclusive", "without the element itself", false},
                   {"reverse", "from the end on", false}};
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    if (x.dtype.is_bool()) fail("x is {}, expected numbers", describe(x));
    axis_of(call);
    return std::vector{x};
  };
  op.define = [is_sum](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{cumulative_formula(is_sum, call, in[0])};
  };
  op.reference = [is_sum](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{cumulative_reference(is_sum, call, *in[0])};
  };
  return op;
}

}  // namespace

std::vector<Operator> cumulative_operators() {
  return {cumulative("cumsum", "the sum of an element and of those before it along an axis", true),
          cumulative("cumprod", "the product of an element and of those before it along an axis", false)};
}

}  // namespace vantage::ops
