#include "compiler/ops/scatter/scatter.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/places.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;
using te::Var;

// What becomes of an element and of what is put there.
Expr joined(const std::string& how, const Expr& old, const Expr& put) {
  if (how == "add") return old + put;
  if (how == "multiply") return old * put;
  return how == "max" ? ir::max(old, put) : ir::min(old, put);
}
Scalar joined(const std::string& how, DType dtype, Scalar old, Scalar put) {
  if (dtype.is_float()) {
    if (how == "add") return {.f = old.f + put.f};
    if (how == "multiply") return {.f = old.f * put.f};
    return {.f = how == "max" ? std::max(old.f, put.f) : std::min(old.f, put.f)};
  }
  const auto a = static_cast<uint64_t>(old.i), b = static_cast<uint64_t>(put.i);
  if (how == "add") return {.i = wrap(dtype, static_cast<int64_t>(a + b))};
  if (how == "multiply") return {.i = wrap(dtype, static_cast<int64_t>(a * b))};
  return {.i = how == "max" ? std::max(old.i, put.i) : std::min(old.i, put.i)};
}

// Of all updates, whose numbers and values `update` gives at `axes`, those that hit an element: the last one, or all
// of them joined with it.
te::Tensor scattered(const std::string& how, const te::Tensor& x, const Tensor::Shape& shape,
                     const std::vector<ReduceAxis>& axes,
                     const std::function<std::pair<Expr, Expr>(const std::vector<Var>&)>& hit_and_number,
                     const std::function<Expr(const std::vector<Var>&, const Expr&)>& value_of_number,
                     const std::function<Expr(const std::vector<Var>&)>& value) {
  if (how == "none") {
    // The last one's number, 1 more than it is.
    const te::Tensor last = te::compute(
        sizes(shape),
        [&](const std::vector<Var>& i) {
          const auto [hit, number] = hit_and_number(i);
          return te::max(ir::if_then_else(hit, number + 1, 0), axes);
        },
        "last");
    return te::compute(
        sizes(shape),
        [&](const std::vector<Var>& i) {
          const Expr number = last.at(indices(i));
          return ir::if_then_else(number > 0, value_of_number(i, ir::max(number - 1, 0)), x.at(indices(i)));
        },
        "scatter");
  }
  const te::Tensor all = te::compute(
      sizes(shape),
      [&](const std::vector<Var>& i) {
        const Expr hit = hit_and_number(i).first, put = value(i);
        const DType dtype = x.dtype();
        const auto or_else = [&](const Expr& identity) { return ir::if_then_else(hit, put, identity); };
        if (how == "add") return te::sum(or_else(ir::make_zero(dtype)), axes);
        if (how == "multiply") return te::product(or_else(ir::make_const(dtype, 1)), axes);
        return how == "max" ? te::max(or_else(ir::min_value(dtype)), axes)
                            : te::min(or_else(ir::max_value(dtype)), axes);
      },
      "updates");
  return te::compute(
      sizes(shape), [&](const std::vector<Var>& i) { return joined(how, x.at(indices(i)), all.at(indices(i))); },
      "scatter");
}

AttributeField how_field() {
  return {.name = "how",
          .meaning = "what becomes of an element: replaced by the last that is put there, or joined with all",
          .standard = std::string("none"),
          .choices = {"none", "add", "multiply", "max", "min"}};
}

void require_same_elements(const TensorType& x, const TensorType& updates, const std::string& how) {
  if (x.dtype != updates.dtype) fail("updates is {}, expected x's {}", describe(updates), name(x.dtype));
  if (x.dtype.is_bool() && how != "none") fail("x is {}, which {} does not join; expected numbers", describe(x), how);
}

Operator scatter_elements() {
  Operator op;
  op.name = "scatter_elements";
  op.meaning = "x with updates, each at its place, but with its index along the axis";
  op.inputs = {{"x", "any shape but a scalar"},
               {"indices", "int32 or int64, of x's rank, and no longer along others"},
               {"updates", "of indices' shape and x's type"}};
  op.attributes = {{"axis", "that is indexed; -1 is the last one", int64_t{0}}, how_field()};
  op.infer = [](const OperatorCall& call) {
    const TensorType &x = call.inputs[0], &indices = call.inputs[1], &updates = call.inputs[2];
    require_indices(indices, "indices");
    require_same_elements(x, updates, call.attributes.word("how"));
    const size_t axis = axis_of(call);
    bool fits = x.shape.size() == indices.shape.size() && updates.shape == indices.shape;
    for (size_t d = 0; fits && d < x.shape.size(); ++d) fits = d == axis || indices.shape[d] <= x.shape[d];
    if (!fits) {
      fail("indices is {} and updates {}, which do not fit x, {}, along axis {}", describe(indices), describe(updates),
           describe(x), axis);
    }
    return std::vector{x};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tensor::Shape &shape = call.inputs[0].shape, &of_updates = call.inputs[1].shape;
    const size_t axis = axis_of(call);
    const ReduceAxis k = te::reduce_axis(of_updates[axis], "k");
    // Where there are updates at all, along the other axes.
    const auto at = [&](const std::vector<Var>& i, const Expr& number) {
      std::vector<Expr> index = indices(i);
      for (size_t d = 0; d < index.size(); ++d) {
        if (of_updates[d] < shape[d]) index[d] = ir::min(index[d], Expr(of_updates[d] - 1));
      }
      index[axis] = number;
      return index;
    };
    const auto hit = [&](const std::vector<Var>& i) {
      Expr hits = place(in[1].at(at(i, k)), shape[axis]) == i[axis];
      for (size_t d = 0; d < i.size(); ++d) {
        if (d != axis && of_updates[d] < shape[d]) hits = hits && i[d] < of_updates[d];
      }
      return std::pair<Expr, Expr>(hits, k);
    };
    return std::vector{scattered(
        call.attributes.word("how"), in[0], shape, {k}, hit,
        [&](const std::vector<Var>& i, const Expr& number) { return in[2].at(at(i, number)); },
        [&](const std::vector<Var>& i) { return in[2].at(at(i, k)); })};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const size_t axis = axis_of(call);
    const std::string& how = call.attributes.word("how");
    Tensor y = *in[0];
    for (int64_t e = 0; e < in[1]->size(); ++e) {
      Tensor::Shape at = in[1]->index_of(e);
      at[axis] = place(in[1]->integer(e), y.extent(axis));
      const int64_t to = broadcast_element(y.shape(), at);
      y.set(to, how == "none" ? in[2]->get(e) : joined(how, y.dtype(), y.get(to), in[2]->get(e)));
    }
    return std::vector{std::move(y)};
  };
  return op;
}

Operator scatter_nd() {
  Operator op;
  op.name = "scatter_nd";
  op.meaning = "x with updates, elements or slices, where rows of indices say";
  op.inputs = {{"x", "any shape but a scalar"},
               {"indices", "int32 or int64, [..., how many of x's first axes are indexed]"},
               {"updates", "of indices' shape but for its last axis, then x's that are not indexed"}};
  op.attributes = {how_field()};
  op.infer = [](const OperatorCall& call) {
    const TensorType &x = call.inputs[0], &indices = call.inputs[1], &updates = call.inputs[2];
    require_indices(indices, "indices");
    require_same_elements(x, updates, call.attributes.word("how"));
    bool fits = !indices.shape.empty() && indices.shape.back() >= 1 &&
                static_cast<size_t>(indices.shape.back()) <= x.shape.size();
    if (fits) {
      Tensor::Shape shape(indices.shape.begin(), indices.shape.end() - 1);
      shape.insert(shape.end(), x.shape.begin() + indices.shape.back(), x.shape.end());
      fits = shape == updates.shape;
    }
    if (!fits) {
      fail("indices is {} and updates {}, which do not fit x, {}", describe(indices), describe(updates), describe(x));
    }
    return std::vector{x};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tensor::Shape &shape = call.inputs[0].shape, &of_indices = call.inputs[1].shape;
    const size_t rows = of_indices.size() - 1;
    const auto indexed = static_cast<size_t>(of_indices.back());
    std::vector<ReduceAxis> axes;
    Expr number = 0;
    for (size_t d = 0; d < rows; ++d) {
      axes.push_back(te::reduce_axis(of_indices[d], "r" + std::to_string(d)));
      number = number * of_indices[d] + axes.back();
    }
    if (axes.empty()) axes.push_back(te::reduce_axis(1, "r"));
    const auto row = [&](const Expr& of_number) {
      std::vector<Expr> at(rows);
      Expr rest = of_number;
      for (size_t d = rows; d-- > 0;) {
        at[d] = d == 0 ? rest : ir::floor_mod(rest, of_indices[d]);
        rest = ir::floor_div(rest, of_indices[d]);
      }
      return at;
    };
    const auto here = [&] { return rows == 0 ? std::vector<Expr>() : std::vector<Expr>(axes.begin(), axes.end()); };
    const auto update = [&](const std::vector<Var>& i, std::vector<Expr> at) {
      const std::vector<Expr> all = indices(i);
      at.insert(at.end(), all.begin() + static_cast<ptrdiff_t>(indexed), all.end());
      return in[2].at(std::move(at));
    };
    const auto hit = [&](const std::vector<Var>& i) {
      std::vector<Expr> at = here();
      at.emplace_back(0);
      Expr hits = true;
      for (size_t n = 0; n < indexed; ++n) {
        at.back() = Expr(static_cast<int64_t>(n));
        hits = hits && place(in[1].at(at), shape[n]) == i[n];
      }
      return std::pair<Expr, Expr>(hits, number);
    };
    return std::vector{scattered(
        call.attributes.word("how"), in[0], shape, axes, hit,
        [&](const std::vector<Var>& i, const Expr& of_number) { return update(i, row(of_number)); },
        [&](const std::vector<Var>& i) { return update(i, here()); })};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const std::string& how = call.attributes.word("how");
    const Tensor &picked = *in[1], &updates = *in[2];
    const int64_t indexed = picked.shape().back();
    Tensor y = *in[0];
    for (int64_t e = 0; e < updates.size(); ++e) {
      const Tensor::Shape from = updates.index_of(e);
      Tensor::Shape row(from.begin(), from.begin() + static_cast<ptrdiff_t>(picked.rank() - 1)), at;
      row.push_back(0);
      for (row.back() = 0; row.back() < indexed; ++row.back()) {
        at.push_back(place(picked.integer(broadcast_element(picked.shape(), row)), y.extent(at.size())));
      }
      at.insert(at.end(), from.begin() + static_cast<ptrdiff_t>(picked.rank() - 1), from.end());
      const int64_t to = broadcast_element(y.shape(), at);
      y.set(to, how == "none" ? updates.get(e) : joined(how, y.dtype(), y.get(to), updates.get(e)));
    }
    return std::vector{std::move(y)};
  };
  return op;
}

}  // namespace

std::vector<Operator> scatter_operators() {
  return {scatter_elements(), scatter_nd()};
}

}  // namespace vantage::ops
