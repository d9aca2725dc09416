#include "compiler/ops/rotary/rotary.h"

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::Var;

// How many pairs are turned.
int64_t pairs_of(const OperatorCall& call) {
  return call.inputs[1].shape.back();
}

// The angles' shape over all of x's pairs.
Tensor::Shape shape_of_pairs(const OperatorCall& call) {
  Tensor::Shape shape = call.inputs[0].shape;
  shape.back() = pairs_of(call);
  return shape;
}

te::Tensor rotary_formula(const OperatorCall& call, const std::vector<te::Tensor>& in) {
  const int64_t pairs = pairs_of(call), last = call.inputs[0].shape.back();
  const bool interleaved = call.attributes.flag("interleaved");
  const std::vector<Expr> of_pairs = sizes(shape_of_pairs(call));
  return te::compute(
      sizes(call.inputs[0].shape),
      [&](const std::vector<Var>& i) {
        const Expr element = i.back();
        // Beyond the pairs nothing is turned, and nothing read.
        const Expr inside = 2 * pairs < last ? ir::min(element, Expr(2 * pairs - 1)) : element;
        const Expr pair = interleaved ? ir::floor_div(inside, 2) : ir::floor_mod(inside, pairs);
        const Expr is_first = interleaved ? ir::floor_mod(inside, 2) == 0 : inside < pairs;
        const Expr other = interleaved ? ir::if_then_else(is_first, inside + 1, inside - 1)
                                       : ir::if_then_else(is_first, inside + pairs, inside - pairs);
        const auto at = [&](const Expr& e) {
          std::vector<Expr> index = indices(i);
          index.back() = e;
          return index;
        };
        const auto angle = [&](const te::Tensor& t) {
          std::vector<Expr> index;
          const size_t before = i.size() - t.shape().size();
          for (size_t d = 0; d < t.shape().size(); ++d) {
            const Expr place = d + 1 == t.shape().size() ? pair : Expr(i[before + d]);
            index.push_back(ir::is_int(t.shape()[d], 1) ? Expr(0) : place);
          }
          return t.at(std::move(index));
        };
        const Expr mine = in[0].at(at(inside)) * angle(in[1]), its = in[0].at(at(other)) * angle(in[2]);
        const Expr turned = ir::if_then_else(is_first, mine - its, mine + its);
        return 2 * pairs < last ? ir::if_then_else(element < 2 * pairs, turned, in[0].at(indices(i))) : turned;
      },
      "rotary");
}

Tensor rotary_reference(const OperatorCall& call, const std::vector<const Tensor*>& in) {
  const Tensor& x = *in[0];
  const int64_t pairs = pairs_of(call);
  const bool interleaved = call.attributes.flag("interleaved");
  Tensor y = x;
  for (int64_t e = 0; e < x.size(); ++e) {
    Tensor::Shape index = x.index_of(e);
    const int64_t element = index.back();
    const int64_t pair = interleaved ? element / 2 : element;
    // Of each pair once.
    if (pair >= pairs || (interleaved && element % 2 == 1)) continue;
    const int64_t other = e + (interleaved ? 1 : pairs);
    index.back() = pair;
    const double cosine = in[1]->number(broadcast_element(in[1]->shape(), index));
    const double sine = in[2]->number(broadcast_element(in[2]->shape(), index));
    y.set_number(e, x.number(e) * cosine - x.number(other) * sine);
    y.set_number(other, x.number(other) * cosine + x.number(e) * sine);
  }
  return y;
}

}  // namespace

Operator rotary_operator() {
  Operator op;
  op.name = "rotary";
  op.meaning = "the last axis' first elements turned, pair by pair, by angles of their place";
  op.inputs = {{"x", "[..., elements], floats"},
               {"cos", "a shape that repeats along [..., pairs]: cosines of the angles"},
               {"sin", "of the same shape: their sines"}};
  op.attributes = {{"interleaved", "pairs are neighbours; else the first half's with the second half's", false}};
  op.pattern = Pattern::kOpaque;
  op.infer = [](const OperatorCall& call) {
    const TensorType &x = call.inputs[0], &cosine = call.inputs[1], &sine = call.inputs[2];
    if (!x.dtype.is_float()) fail("x is {}, expected floats", describe(x));
    require_same_dtype(x, cosine, "x", "cos");
    require_same_dtype(x, sine, "x", "sin");
    const bool fits = !x.shape.empty() && !cosine.shape.empty() && cosine.shape == sine.shape &&
                      2 * pairs_of(call) <= x.shape.back() &&
                      broadcast(shape_of_pairs(call), cosine.shape) == shape_of_pairs(call);
    if (!fits) fail("cos is {} and sin {}, which do not fit x, {}", describe(cosine), describe(sine), describe(x));
    return std::vector{x};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{rotary_formula(call, in)};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{rotary_reference(call, in)};
  };
  return op;
}

}  // namespace vantage::ops
