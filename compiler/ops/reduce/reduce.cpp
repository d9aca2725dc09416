#include "compiler/ops/reduce/reduce.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/mean.h"
#include "compiler/ops/sizes.h"
#include "compiler/ops/wrapping.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;
using te::Var;

// Which axes are folded, and what is left.
struct Folding {
  std::vector<bool> folded;  // by axis of x
  bool keeps_axes;           // as size 1
  int64_t count = 1;         // of elements that become one

  explicit Folding(const OperatorCall& call)
      : folded(call.inputs[0].shape.size()), keeps_axes(call.attributes.flag("keep_axes")) {
    const Tensor::Shape& shape = call.inputs[0].shape;
    const Integers& axes = call.attributes.integers("axes");
    if (axes.empty()) folded.assign(shape.size(), true);
    for (const int64_t given : axes) {
      const size_t axis = axis_of(given, shape.size());
      if (folded[axis]) fail("axis {} is given twice", axis);
      folded[axis] = true;
    }
    for (size_t d = 0; d < shape.size(); ++d) count *= folded[d] ? shape[d] : 1;
  }

  Tensor::Shape result(const Tensor::Shape& shape) const {
    Tensor::Shape left;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (!folded[d]) left.push_back(shape[d]);
      if (folded[d] && keeps_axes) left.push_back(1);
    }
    return left;
  }
  // The index into x of the element of the result, and of what is folded.
  std::vector<Expr> index(const std::vector<Var>& of_result, const std::vector<ReduceAxis>& of_folded) const {
    std::vector<Expr> at;
    size_t result = 0, fold = 0;
    for (const bool is_folded : folded) {
      at.push_back(is_folded ? Expr(of_folded[fold++]) : Expr(of_result[result]));
      result += !is_folded || keeps_axes ? 1 : 0;
    }
    return at;
  }
  std::vector<ReduceAxis> axes(const Tensor::Shape& shape) const {
    std::vector<ReduceAxis> all;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (folded[d]) all.push_back(te::reduce_axis(shape[d], "r" + std::to_string(d)));
    }
    return all;
  }
  // Calls visit(element of the result, element of x) for all of x, in order.
  template <typename Visit>
  void each(const Tensor& x, const Tensor::Shape& result, const Visit& visit) const {
    for (int64_t e = 0; e < x.size(); ++e) {
      const Tensor::Shape index = x.index_of(e);
      Tensor::Shape left;
      for (size_t d = 0; d < index.size(); ++d) {
        if (!folded[d]) left.push_back(index[d]);
        if (folded[d] && keeps_axes) left.push_back(0);
      }
      visit(broadcast_element(result, left), e);
    }
  }
};

struct Fold {
  std::string name, meaning;
  std::function<te::Reduction(Expr, std::vector<ReduceAxis>)> formula;
  std::function<double(double, double)> of_floats;
  std::function<int64_t(int64_t, int64_t)> of_integers;
  bool is_mean = false;
  bool picks = false;  // one of the elements
};

std::vector<Fold> folds() {
  const auto sum = [](Expr x, std::vector<ReduceAxis> axes) { return te::sum(std::move(x), std::move(axes)); };
  const auto add = [](double a, double b) { return a + b; };
  return {
      {"sum", "of the elements along axes", sum, add, wrapping_sum},
      {"mean", "of the elements along axes; of integers the nearest one, halves up", sum, add, wrapping_sum, true},
      {"max", "the greatest element along axes",
       [](Expr x, std::vector<ReduceAxis> axes) { return te::max(std::move(x), std::move(axes)); },
       [](double a, double b) { return std::max(a, b); }, [](int64_t a, int64_t b) { return std::max(a, b); }, false,
       true},
      {"min", "the least element along axes",
       [](Expr x, std::vector<ReduceAxis> axes) { return te::min(std::move(x), std::move(axes)); },
       [](double a, double b) { return std::min(a, b); }, [](int64_t a, int64_t b) { return std::min(a, b); }, false,
       true},
      {"prod", "the product of the elements along axes",
       [](Expr x, std::vector<ReduceAxis> axes) { return te::product(std::move(x), std::move(axes)); },
       [](double a, double b) { return a * b; }, wrapping_product},
  };
}

std::vector<AttributeField> fields() {
  return {{"axes", "that are folded; -1 is the last one; none: all", Integers{}},
          {"keep_axes", "folded axes stay, with size 1", false}};
}

Operator fold_operator(const Fold& fold) {
  Operator op;
  op.name = fold.name;
  op.meaning = fold.meaning;
  op.inputs = {{"x", "any shape, numbers"}};
  op.attributes = fields();
  op.pattern = Pattern::kReduction;
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    if (x.dtype.is_bool()) fail("x is {}, expected numbers", describe(x));
    return std::vector{TensorType{x.dtype, Folding(call).result(x.shape)}};
  };
  op.define = [fold](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Folding folding(call);
    const Tensor::Shape& shape = call.inputs[0].shape;
    const std::vector<ReduceAxis> axes = folding.axes(shape);
    const DType dtype = in[0].dtype();
    const bool rounds = dtype.is_narrow_float() && !fold.picks;  // once, at the end
    const DType sums = fold.is_mean || rounds ? type_of_sums(dtype) : dtype;
    te::Tensor y = te::compute(
        sizes(folding.result(shape)),
        [&](const std::vector<Var>& i) {
          Expr x = in[0].at(folding.index(i, axes));
          if (axes.empty()) return te::Body(ir::cast(sums, x));
          return te::Body(fold.formula(ir::cast(sums, x), axes));
        },
        fold.name);
    if (fold.is_mean) {
      const Expr count = ir::make_const(sums, static_cast<double>(folding.count));
      y = te::map(
          y, [&](const Expr& x) { return quotient(x, count, dtype); }, "mean");
    } else if (rounds) {
      y = te::map(
          y, [&](const Expr& x) { return ir::cast(dtype, x); }, "rounded");
    }
    return std::vector{y};
  };
  op.reference = [fold](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Folding folding(call);
    const Tensor& x = *in[0];
    const Tensor::Shape shape = folding.result(x.shape());
    const bool is_float = x.dtype().is_float();
    Tensor all(is_float ? kFloat64 : kInt64, shape), y(x.dtype(), shape);
    std::vector<bool> begun(static_cast<size_t>(y.size()));
    folding.each(x, shape, [&](int64_t to, int64_t from) {
      const bool first = !begun[static_cast<size_t>(to)];
      begun[static_cast<size_t>(to)] = true;
      if (is_float) {
        all.set_number(to, first ? x.number(from) : fold.of_floats(all.number(to), x.number(from)));
      } else {
        all.set_integer(to, first ? x.integer(from) : fold.of_integers(all.integer(to), x.integer(from)));
      }
    });
    for (int64_t e = 0; e < y.size(); ++e) {
      if (is_float) {
        y.set_number(e, fold.is_mean ? all.number(e) / static_cast<double>(folding.count) : all.number(e));
      } else {
        y.set_integer(e,
                      wrap(y.dtype(), fold.is_mean ? nearest_quotient(all.integer(e), folding.count) : all.integer(e)));
      }
    }
    return std::vector{std::move(y)};
  };
  return op;
}

// Where the greatest element is, or the least.
Operator arg_operator(std::string name, bool greatest) {
  Operator op;
  op.name = std::move(name);
  op.meaning =
      fmt::format("where along an axis the {} element is, int32; of equals the first", greatest ? "greatest" : "least");
  op.inputs = {{"x", "any shape, numbers"}};
  op.attributes = {{"axis", "that is searched; -1 is the last one", int64_t{-1}},
                   {"keep_axes", "the axis stays, with size 1", false}};
  op.pattern = Pattern::kReduction;
  const auto as_fold = [](const OperatorCall& call) {
    return OperatorCall{call.inputs, Attributes(fields(), {{"axes", Integers{call.attributes.integer("axis")}},
                                                           {"keep_axes", call.attributes.flag("keep_axes")}})};
  };
  op.infer = [as_fold](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    if (x.dtype.is_bool()) fail("x is {}, expected numbers", describe(x));
    return std::vector{TensorType{kInt32, Folding(as_fold(call)).result(x.shape)}};
  };
  op.define = [as_fold, greatest](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const OperatorCall fold_call = as_fold(call);
    const Folding folding(fold_call);
    const Tensor::Shape& shape = call.inputs[0].shape;
    const std::vector<ReduceAxis> axes = folding.axes(shape);
    // The better value, of equals the smaller index.
    const auto reduce = te::comm_reducer(
        [greatest](const te::Values& a, const te::Values& b) {
          const Expr takes_a = (greatest ? a[1] > b[1] : a[1] < b[1]) || (a[1] == b[1] && a[0] < b[0]);
          return te::Values{ir::if_then_else(takes_a, a[0], b[0]), ir::if_then_else(takes_a, a[1], b[1])};
        },
        [greatest](const std::vector<DType>& types) {
          return te::Values{ir::max_value(types[0]), greatest ? ir::min_value(types[1]) : ir::max_value(types[1])};
        },
        greatest ? "argmax" : "argmin");
    return std::vector{te::compute_tuple(
        sizes(folding.result(shape)),
        [&](const std::vector<Var>& i) {
          return reduce({Expr(axes[0]), in[0].at(folding.index(i, axes))}, axes);
        },
        greatest ? "argmax" : "argmin")[0]};
  };
  op.reference = [as_fold, greatest](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Folding folding(as_fold(call));
    const Tensor& x = *in[0];
    const size_t axis = axis_of(call.attributes.integer("axis"), x.rank());
    const Tensor::Shape shape = folding.result(x.shape());
    Tensor y(kInt32, shape);
    std::vector<int64_t> best(static_cast<size_t>(y.size()), -1);
    folding.each(x, shape, [&](int64_t to, int64_t from) {
      int64_t& now = best[static_cast<size_t>(to)];
      const auto is_better = [&](auto a, auto b) { return greatest ? a > b : a < b; };
      const bool is_float = x.dtype().is_float();
      if (now >= 0 &&
          !(is_float ? is_better(x.number(from), x.number(now)) : is_better(x.integer(from), x.integer(now)))) {
        return;
      }
      now = from;
      y.set_integer(to, x.index_of(from)[axis]);
    });
    return std::vector{std::move(y)};
  };
  return op;
}

}  // namespace

std::vector<Operator> reduce_operators() {
  std::vector<Operator> all;
  for (const Fold& fold : folds()) all.push_back(fold_operator(fold));
  all.push_back(arg_operator("argmax", true));
  all.push_back(arg_operator("argmin", false));
  return all;
}

}  // namespace vantage::ops
