#include "compiler/ops/batch_norm/batch_norm.h"

#include <cmath>

#include "base/error.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

using te::Expr;
using te::Var;

Operator batch_norm_operator() {
  Operator op;
  op.name = "batch_norm";
  op.meaning = "(x - mean) / sqrt(variance + epsilon) * gamma + beta, channel by channel";
  op.inputs = {{"x", "any shape but a scalar, floats"},
               {"gamma", "[c]: factors"},
               {"beta", "[c]: what is added"},
               {"mean", "[c]: what is taken off"},
               {"variance", "[c]: what is divided by"}};
  op.attributes = {{"axis", "of channels", int64_t{1}}, {"epsilon", "that keeps from dividing by 0", 1e-5}};
  op.pattern = Pattern::kBroadcast;
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    if (!x.dtype.is_float()) fail("x is {}, expected floats", describe(x));
    const size_t axis = axis_of(call.attributes.integer("axis"), x.shape.size());
    const TensorType wanted = {x.dtype, {x.shape[axis]}};
    constexpr std::string_view kNames[] = {"gamma", "beta", "mean", "variance"};
    for (size_t i = 0; i < 4; ++i) {
      if (call.inputs[i + 1] != wanted) {
        fail("{} is {}, expected {}, as x is {}", kNames[i], describe(call.inputs[i + 1]), describe(wanted),
             describe(x));
      }
    }
    return std::vector{x};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const size_t axis = axis_of(call.attributes.integer("axis"), in[0].rank());
    const Expr epsilon = ir::make_const(in[0].dtype(), call.attributes.number("epsilon"));
    return std::vector{te::compute(
        in[0].shape(),
        [&](const std::vector<Var>& i) {
          const Expr c = i[axis];
          return (in[0].at(indices(i)) - in[3](c)) / te::sqrt(in[4](c) + epsilon) * in[1](c) + in[2](c);
        },
        "batch_norm")};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Tensor& x = *in[0];
    const size_t axis = axis_of(call.attributes.integer("axis"), x.rank());
    Tensor y(x.dtype(), x.shape());
    for (int64_t e = 0; e < x.size(); ++e) {
      const int64_t c = x.index_of(e)[axis];
      const double scale = in[1]->number(c) / std::sqrt(in[4]->number(c) + call.attributes.number("epsilon"));
      y.set_number(e, (x.number(e) - in[3]->number(c)) * scale + in[2]->number(c));
    }
    return std::vector{std::move(y)};
  };
  return op;
}

}  // namespace vantage::ops
