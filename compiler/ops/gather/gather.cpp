#include "compiler/ops/gather/gather.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/places.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::Var;

template <typename List>
List part(const List& list, size_t begin, size_t end) {
  return List(list.begin() + static_cast<ptrdiff_t>(begin), list.begin() + static_cast<ptrdiff_t>(end));
}
template <typename List>
void append(List& list, const List& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// The element of a tensor with this index.
int64_t element_at(const Tensor& tensor, const Tensor::Shape& index) {
  return broadcast_element(tensor.shape(), index);
}

Operator gather() {
  Operator op;
  op.name = "gather";
  op.meaning = "the slices of x along an axis that indices name; below 0 from the end, and beyond an end that end";
  op.inputs = {{"x", "any shape but a scalar"}, {"indices", "int32 or int64, any shape, which takes the axis's place"}};
  op.attributes = {{"axis", "that is indexed; -1 is the last one", int64_t{0}}};
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    const TensorType &x = call.inputs[0], &indices = call.inputs[1];
    require_indices(indices, "indices");
    const size_t axis = axis_of(call);
    Tensor::Shape shape = part(x.shape, 0, axis);
    append(shape, indices.shape);
    append(shape, part(x.shape, axis + 1, x.shape.size()));
    return std::vector{TensorType{x.dtype, shape}};
  };
  op.define = [infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tensor::Shape& x = call.inputs[0].shape;
    const size_t axis = axis_of(call), behind = axis + call.inputs[1].shape.size();
    return std::vector{te::compute(
        sizes(infer(call)[0].shape),
        [&](const std::vector<Var>& i) {
          const std::vector<Expr> all = indices(i);
          std::vector<Expr> at = part(all, 0, axis);
          at.push_back(place(in[1].at(part(all, axis, behind)), x[axis]));
          append(at, part(all, behind, all.size()));
          return in[0].at(std::move(at));
        },
        "gather")};
  };
  op.reference = [infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Tensor &x = *in[0], &picked = *in[1];
    const size_t axis = axis_of(call), behind = axis + picked.rank();
    Tensor y(x.dtype(), infer(call)[0].shape);
    for (int64_t e = 0; e < y.size(); ++e) {
      const Tensor::Shape all = y.index_of(e);
      Tensor::Shape at = part(all, 0, axis);
      at.push_back(place(picked.integer(element_at(picked, part(all, axis, behind))), x.extent(axis)));
      append(at, part(all, behind, all.size()));
      y.set(e, x.get(element_at(x, at)));
    }
    return std::vector{std::move(y)};
  };
  return op;
}

Operator gather_elements() {
  Operator op;
  op.name = "gather_elements";
  op.meaning = "for each index the element of x at its place, but with that index along the axis";
  op.inputs = {{"x", "any shape but a scalar"}, {"indices", "int32 or int64, of x's rank, and no longer along others"}};
  op.attributes = {{"axis", "that is indexed; -1 is the last one", int64_t{0}}};
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    const TensorType &x = call.inputs[0], &indices = call.inputs[1];
    require_indices(indices, "indices");
    const size_t axis = axis_of(call);
    bool fits = x.shape.size() == indices.shape.size();
    for (size_t d = 0; fits && d < x.shape.size(); ++d) fits = d == axis || indices.shape[d] <= x.shape[d];
    if (!fits) fail("indices is {}, which does not fit x, {}, along axis {}", describe(indices), describe(x), axis);
    return std::vector{TensorType{x.dtype, indices.shape}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const size_t axis = axis_of(call);
    return std::vector{te::compute(
        sizes(call.inputs[1].shape),
        [&](const std::vector<Var>& i) {
          std::vector<Expr> at = indices(i);
          at[axis] = place(in[1].at(indices(i)), call.inputs[0].shape[axis]);
          return in[0].at(std::move(at));
        },
        "gather_elements")};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const size_t axis = axis_of(call);
    Tensor y(in[0]->dtype(), in[1]->shape());
    for (int64_t e = 0; e < y.size(); ++e) {
      Tensor::Shape at = y.index_of(e);
      at[axis] = place(in[1]->integer(e), in[0]->extent(axis));
      y.set(e, in[0]->get(element_at(*in[0], at)));
    }
    return std::vector{std::move(y)};
  };
  return op;
}

Operator gather_nd() {
  Operator op;
  op.name = "gather_nd";
  op.meaning = "the elements or slices of x that rows of indices name, one index for each of its first axes";
  op.inputs = {{"x", "any shape but a scalar"}, {"indices", "int32 or int64, [..., how many axes are indexed]"}};
  op.attributes = {{"batch_axes", "first axes, which both share", int64_t{0}}};
  op.pattern = Pattern::kInjective;
  const auto batch_of = [](const OperatorCall& call) {
    return static_cast<size_t>(call.attributes.integer("batch_axes"));
  };
  op.infer = [batch_of](const OperatorCall& call) {
    const TensorType &x = call.inputs[0], &indices = call.inputs[1];
    require_indices(indices, "indices");
    const size_t batch = batch_of(call), rank = indices.shape.size();
    const bool fits =
        rank > batch && x.shape.size() > batch && indices.shape.back() >= 1 &&
        batch + static_cast<size_t>(indices.shape.back()) <= x.shape.size() &&
        std::equal(x.shape.begin(), x.shape.begin() + static_cast<ptrdiff_t>(batch), indices.shape.begin());
    if (!fits)
      fail("indices is {}, which does not fit x, {}, with {} axes of both", describe(indices), describe(x), batch);
    Tensor::Shape shape = part(indices.shape, 0, rank - 1);
    append(shape, part(x.shape, batch + static_cast<size_t>(indices.shape.back()), x.shape.size()));
    return std::vector{TensorType{x.dtype, shape}};
  };
  op.define = [batch_of, infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tensor::Shape &x = call.inputs[0].shape, &of_indices = call.inputs[1].shape;
    const size_t batch = batch_of(call), rows = of_indices.size() - 1;
    return std::vector{te::compute(
        sizes(infer(call)[0].shape),
        [&](const std::vector<Var>& i) {
          const std::vector<Expr> all = indices(i);
          std::vector<Expr> at = part(all, 0, batch), row = part(all, 0, rows);
          row.emplace_back(0);
          for (int64_t n = 0; n < of_indices.back(); ++n) {
            row.back() = Expr(n);
            at.push_back(place(in[1].at(row), x[batch + static_cast<size_t>(n)]));
          }
          append(at, part(all, rows, all.size()));
          return in[0].at(std::move(at));
        },
        "gather_nd")};
  };
  op.reference = [batch_of, infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Tensor &x = *in[0], &picked = *in[1];
    const size_t batch = batch_of(call), rows = picked.rank() - 1;
    Tensor y(x.dtype(), infer(call)[0].shape);
    for (int64_t e = 0; e < y.size(); ++e) {
      const Tensor::Shape all = y.index_of(e);
      Tensor::Shape at = part(all, 0, batch), row = part(all, 0, rows);
      row.push_back(0);
      for (int64_t n = 0; n < picked.shape().back(); ++n) {
        row.back() = n;
        at.push_back(place(picked.integer(element_at(picked, row)), x.extent(batch + static_cast<size_t>(n))));
      }
      append(at, part(all, rows, all.size()));
      y.set(e, x.get(element_at(x, at)));
    }
    return std::vector{std::move(y)};
  };
  return op;
}

}  // namespace

std::vector<Operator> gather_operators() {
  return {gather(), gather_elements(), gather_nd()};
}

}  // namespace vantage::ops
