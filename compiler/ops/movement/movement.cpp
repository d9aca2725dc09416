#include "compiler/ops/movement/movement.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::Var;

// A copy of elements: the one at each index of the result is that of `source(index)`.
template <typename Source>
Tensor gathered(const Tensor& x, Tensor::Shape shape, const Source& source) {
  Tensor y(x.dtype(), std::move(shape));
  for (int64_t e = 0; e < y.size(); ++e) y.set(e, x.get(broadcast_element(x.shape(), source(y.index_of(e)))));
  return y;
}

Operator reshape() {
  Operator op;
  op.name = "reshape";
  op.meaning = "the same elements, row by row, in another shape of as many";
  op.inputs = {{"x", "any shape"}};
  op.attributes = {{.name = "shape",
                    .meaning = "sizes of the result; one may be -1: what is left",
                    .standard = Integers{},
                    .is_required = true}};
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    TensorType y = {x.dtype, call.attributes.integers("shape")};
    int64_t known = 1;
    for (const int64_t extent : y.shape) {
      if (extent < -1 || extent == 0) fail("shape is [{}], expected sizes from 1 on, or -1", fmt::join(y.shape, ", "));
      // Beyond x's size it is wrong anyway, however large.
      if (extent > 0) known = std::min(known * extent, x.size() + 1);
    }
    const auto open = std::count(y.shape.begin(), y.shape.end(), -1);
    if (open > 1) fail("shape is [{}], expected one -1 at most", fmt::join(y.shape, ", "));
    if (open == 1 && x.size() % known == 0) *std::find(y.shape.begin(), y.shape.end(), -1) = x.size() / known;
    if (std::count(y.shape.begin(), y.shape.end(), -1) != 0 || (open == 0 && known != x.size())) {
      fail("x is {}, which has {} elements, expected as many as shape [{}] has", describe(x), x.size(),
           fmt::join(call.attributes.integers("shape"), ", "));
    }
    return std::vector{y};
  };
  op.define = [infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tensor::Shape from = call.inputs[0].shape, to = infer(call)[0].shape;
    return std::vector{te::compute(
        sizes(to),
        [&](const std::vector<Var>& i) {
          Expr element = 0;
          for (size_t d = 0; d < to.size(); ++d) element = element * to[d] + i[d];
          std::vector<Expr> at(from.size());
          for (size_t d = from.size(); d-- > 0;) {
            at[d] = d == 0 ? element : ir::floor_mod(element, from[d]);
            element = ir::floor_div(element, from[d]);
          }
          return in[0].at(std::move(at));
        },
        "reshape")};
  };
  op.reference = [infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{in[0]->reshaped(infer(call)[0].shape)};
  };
  return op;
}

Operator transpose() {
  Operator op;
  op.name = "transpose";
  op.meaning = "axis d of the result is axis order[d] of x";
  op.inputs = {{"x", "any shape"}};
  op.attributes = {{"order", "every axis of x once; none: backwards", Integers{}}};
  op.pattern = Pattern::kInjective;
  const auto order_of = [](const OperatorCall& call) {
    const size_t rank = call.inputs[0].shape.size();
    const Integers& given = call.attributes.integers("order");
    std::vector<size_t> order;
    for (const int64_t axis : given) order.push_back(axis_of(axis, rank));
    for (size_t d = rank; given.empty() && d-- > 0;) order.push_back(d);
    std::vector<size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    const bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    if (order.size() != rank || twice) {
      fail("order is [{}], expected every axis of {} once", fmt::join(given, ", "), describe(call.inputs[0]));
    }
    return order;
  };
  op.infer = [order_of](const OperatorCall& call) {
    TensorType y = {call.inputs[0].dtype, {}};
    for (const size_t axis : order_of(call)) y.shape.push_back(call.inputs[0].shape[axis]);
    return std::vector{y};
  };
  op.define = [order_of, infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const std::vector<size_t> order = order_of(call);
    return std::vector{te::compute(
        sizes(infer(call)[0].shape),
        [&](const std::vector<Var>& i) {
          std::vector<Expr> at(order.size());
          for (size_t d = 0; d < order.size(); ++d) at[order[d]] = i[d];
          return in[0].at(std::move(at));
        },
        "transpose")};
  };
  op.reference = [order_of](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{in[0]->permuted(order_of(call))};
  };
  return op;
}

Operator pad() {
  Operator op;
  op.name = "pad";
  op.meaning = "x with a value around";
  op.inputs = {{"x", "any shape"}};
  op.attributes = {
      {.name = "before", .meaning = "elements before each axis", .standard = Integers{}, .is_required = true},
      {.name = "after", .meaning = "elements behind each axis", .standard = Integers{}, .is_required = true},
      {"value", "of these elements", 0.0}};
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    TensorType y = call.inputs[0];
    const Integers &before = call.attributes.integers("before"), &after = call.attributes.integers("after");
    require_integers(before, y.shape.size(), 0, "before");
    require_integers(after, y.shape.size(), 0, "after");
    for (size_t d = 0; d < y.shape.size(); ++d) y.shape[d] += before[d] + after[d];
    return std::vector{y};
  };
  op.define = [infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tensor::Shape& from = call.inputs[0].shape;
    const Integers &before = call.attributes.integers("before"), &after = call.attributes.integers("after");
    const Expr outside = ir::make_const(in[0].dtype(), call.attributes.number("value"));
    return std::vector{te::compute(
        sizes(infer(call)[0].shape),
        [&](const std::vector<Var>& i) {
          std::vector<Expr> at, inside;
          for (size_t d = 0; d < from.size(); ++d) {
            at.push_back(i[d] - before[d]);
            if (before[d] > 0) inside.push_back(i[d] >= before[d]);
            if (after[d] > 0) inside.push_back(i[d] < before[d] + from[d]);
          }
          const Expr element = in[0].at(std::move(at));
          return inside.empty() ? element : ir::if_then_else(ir::all_of(inside), element, outside);
        },
        "pad")};
  };
  op.reference = [infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Integers& before = call.attributes.integers("before");
    Tensor y(in[0]->dtype(), infer(call)[0].shape);
    for (int64_t e = 0; e < y.size(); ++e) {
      Tensor::Shape at = y.index_of(e);
      bool inside = true;
      for (size_t d = 0; d < at.size(); ++d) {
        at[d] -= before[d];
        inside = inside && at[d] >= 0 && at[d] < in[0]->extent(d);
      }
      if (inside) {
        y.set(e, in[0]->get(broadcast_element(in[0]->shape(), at)));
      } else {
        y.set_number(e, call.attributes.number("value"));
      }
    }
    return std::vector{std::move(y)};
  };
  return op;
}

Operator concatenate() {
  Operator op;
  op.name = "concatenate";
  op.meaning = "tensors one behind the other along an axis";
  op.inputs = {{"parts", "shapes that are the same but along the axis", OperatorInput::Count::kMany}};
  op.attributes = {{"axis", "along which; -1 is the last one", int64_t{0}}};
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    TensorType y = call.inputs[0];
    const size_t axis = axis_of(call.attributes.integer("axis"), y.shape.size());
    for (size_t p = 1; p < call.inputs.size(); ++p) {
      TensorType part = call.inputs[p];
      const bool has_axis = axis < part.shape.size();
      const int64_t own = has_axis ? part.shape[axis] : 0;
      if (has_axis) part.shape[axis] = y.shape[axis];
      if (part != y) {
        fail("part {} is {} and part 0 is {}, expected one type, and shapes that are the same but along axis {}", p,
             describe(call.inputs[p]), describe(call.inputs[0]), axis);
      }
      y.shape[axis] += own;
    }
    return std::vector{y};
  };
  op.define = [infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const size_t axis = axis_of(call.attributes.integer("axis"), call.inputs[0].shape.size());
    return std::vector{te::compute(
        sizes(infer(call)[0].shape),
        [&](const std::vector<Var>& i) {
          std::vector<int64_t> begins = {0};
          for (const TensorType& part : call.inputs) begins.push_back(begins.back() + part.shape[axis]);
          const auto at = [&](size_t part) {
            std::vector<Expr> index = indices(i);
            index[axis] = index[axis] - begins[part];
            return in[part].at(std::move(index));
          };
          Expr value = at(in.size() - 1);
          for (size_t p = in.size() - 1; p-- > 0;) value = ir::if_then_else(i[axis] < begins[p + 1], at(p), value);
          return value;
        },
        "concatenate")};
  };
  op.reference = [infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const size_t axis = axis_of(call.attributes.integer("axis"), call.inputs[0].shape.size());
    Tensor y(in[0]->dtype(), infer(call)[0].shape);
    for (int64_t e = 0; e < y.size(); ++e) {
      Tensor::Shape at = y.index_of(e);
      size_t part = 0;
      while (at[axis] >= in[part]->extent(axis)) at[axis] -= in[part++]->extent(axis);
      y.set(e, in[part]->get(broadcast_element(in[part]->shape(), at)));
    }
    return std::vector{std::move(y)};
  };
  return op;
}

Operator split() {
  Operator op;
  op.name = "split";
  op.meaning = "a tensor in pieces along an axis";
  op.inputs = {{"x", "any shape"}};
  op.attributes = {{.name = "sizes", .meaning = "of the pieces", .standard = Integers{}, .is_required = true},
                   {"axis", "along which; -1 is the last one", int64_t{0}}};
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    const size_t axis = axis_of(call.attributes.integer("axis"), x.shape.size());
    const Integers& pieces = call.attributes.integers("sizes");
    require_integers(pieces, std::max<size_t>(1, pieces.size()), 1, "sizes");
    std::vector<TensorType> all;
    int64_t sum = 0;
    for (const int64_t piece : pieces) {
      all.push_back(x);
      all.back().shape[axis] = piece;
      sum += piece;
    }
    if (sum != x.shape[axis]) {
      fail("sizes are [{}], together {}, but axis {} of {} has {}", fmt::join(pieces, ", "), sum, axis, describe(x),
           x.shape[axis]);
    }
    return all;
  };
  op.define = [infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const size_t axis = axis_of(call.attributes.integer("axis"), call.inputs[0].shape.size());
    std::vector<te::Tensor> all;
    int64_t begin = 0;
    for (const TensorType& piece : infer(call)) {
      all.push_back(te::compute(
          sizes(piece.shape),
          [&](const std::vector<Var>& i) {
            std::vector<Expr> at = indices(i);
            at[axis] = at[axis] + begin;
            return in[0].at(std::move(at));
          },
          "split"));
      begin += piece.shape[axis];
    }
    return all;
  };
  op.reference = [infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const size_t axis = axis_of(call.attributes.integer("axis"), call.inputs[0].shape.size());
    std::vector<Tensor> all;
    int64_t begin = 0;
    for (const TensorType& piece : infer(call)) {
      all.push_back(gathered(*in[0], piece.shape, [&](Tensor::Shape at) {
        at[axis] += begin;
        return at;
      }));
      begin += piece.shape[axis];
    }
    return all;
  };
  return op;
}

Operator slice() {
  Operator op;
  op.name = "slice";
  op.meaning = "every step-th element of a box of x";
  op.inputs = {{"x", "any shape"}};
  op.attributes = {
      {.name = "begin", .meaning = "first index of each axis", .standard = Integers{}, .is_required = true},
      {.name = "end", .meaning = "index behind the last", .standard = Integers{}, .is_required = true},
      {"step", "of each axis; none: 1", Integers{}}};
  op.pattern = Pattern::kInjective;
  const auto steps_of = [](const OperatorCall& call) {
    const Integers& given = call.attributes.integers("step");
    return given.empty() ? Integers(call.inputs[0].shape.size(), 1) : given;
  };
  op.infer = [steps_of](const OperatorCall& call) {
    TensorType y = call.inputs[0];
    const Integers &begin = call.attributes.integers("begin"), &end = call.attributes.integers("end");
    const Integers step = steps_of(call);
    require_integers(begin, y.shape.size(), 0, "begin");
    require_integers(end, y.shape.size(), 1, "end");
    require_integers(step, y.shape.size(), 1, "step");
    for (size_t d = 0; d < y.shape.size(); ++d) {
      if (begin[d] >= end[d] || end[d] > y.shape[d]) {
        fail("axis {} goes from {} to {}, expected a range within the {} of {}", d, begin[d], end[d],
             call.inputs[0].shape[d], describe(call.inputs[0]));
      }
      y.shape[d] = (end[d] - begin[d] + step[d] - 1) / step[d];
    }
    return std::vector{y};
  };
  op.define = [steps_of, infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Integers step = steps_of(call);
    return std::vector{te::compute(
        sizes(infer(call)[0].shape),
        [&](const std::vector<Var>& i) {
          std::vector<Expr> at = indices(i);
          for (size_t d = 0; d < at.size(); ++d) at[d] = at[d] * step[d] + call.attributes.integers("begin")[d];
          return in[0].at(std::move(at));
        },
        "slice")};
  };
  op.reference = [steps_of, infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Integers step = steps_of(call);
    return std::vector{gathered(*in[0], infer(call)[0].shape, [&](Tensor::Shape at) {
      for (size_t d = 0; d < at.size(); ++d) at[d] = at[d] * step[d] + call.attributes.integers("begin")[d];
      return at;
    })};
  };
  return op;
}

}  // namespace

std::vector<Operator> movement_operators() {
  return {reshape(), transpose(), pad(), concatenate(), split(), slice()};
}

}  // namespace vantage::ops
