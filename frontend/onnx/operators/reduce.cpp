// Operators that fold elements along axes, put them in order, or add them up on the way.
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/rounded_once.h"

namespace vantage::onnx_models {

namespace {

struct Folded {
  Integers axes;  // from 0 on; none: nothing is folded
  bool keeps_axes;
};

Folded folded(const Node& node) {
  Builder& b = node.builder();
  const int64_t rank = b.rank(node.input(0));
  Folded f{node.integers_of("axes", 1).value_or(Integers()), node.integer("keepdims", 1) != 0};
  const bool folds_nothing = node.integer("noop_with_empty_axes", 0) != 0;
  for (int64_t& axis : f.axes) axis = static_cast<int64_t>(node.axis(axis, rank));
  if (f.axes.empty() && !folds_nothing) {
    f.axes.resize(static_cast<size_t>(rank));
    std::iota(f.axes.begin(), f.axes.end(), 0);
  }
  return f;
}

// What an empty set makes.
double identity(const std::string& op, DType dtype) {
  if (op == "prod") return 1;
  if (op != "max" && op != "min") return op == "mean" ? std::nan("") : 0;
  if (dtype.is_float()) return op == "max" ? -INFINITY : INFINITY;
  return static_cast<double>(op == "max" ? dtype.min_int() : dtype.max_int());
}

Value fold(Builder& b, const std::string& op, Value x, const Folded& f) {
  if (f.axes.empty()) return x;
  const DType dtype = b.dtype(x);
  if (dtype.is_bool() && b.type(x).size() > 0) return b.cast(fold(b, op, b.cast(x, kInt32), f), kBool);
  // Towards 0, where the graph's own goes to the nearest one.
  if (op == "mean" && !dtype.is_float() && b.type(x).size() > 0) {
    return b.cast(fold(b, op, b.cast(x, kFloat64), f), dtype);
  }
  if (b.type(x).size() > 0) return b.fold(op, x, f.axes, f.keeps_axes);
  Tensor::Shape shape;
  for (size_t d = 0; d < b.shape(x).size(); ++d) {
    const bool goes = std::find(f.axes.begin(), f.axes.end(), static_cast<int64_t>(d)) != f.axes.end();
    if (!goes) shape.push_back(b.shape(x)[d]);
    if (goes && f.keeps_axes) shape.push_back(1);
  }
  Tensor made = b.blank(dtype, shape);
  for (int64_t e = 0; e < made.size(); ++e) made.set_number(e, identity(op, dtype));
  return b.constant(std::move(made));
}

using Change = std::function<Value(Builder&, Value)>;

// What is folded, and what becomes of it then.
ImportOperator reduction(std::string op, Change before = nullptr, Change after = nullptr) {
  return [=](const Node& node) {
    Builder& b = node.builder();
    Value x = node.input(0);
    const DType dtype = b.dtype(x);
    if (before) x = before(b, x);
    x = fold(b, op, x, folded(node));
    return std::vector{b.cast(after ? after(b, x) : x, dtype)};
  };
}

Value square(Builder& b, Value x) {
  return b.multiply(x, x);
}
Value absolute(Builder& b, Value x) {
  return b.call("abs", {x});
}
// Of integers by way of floats.
Change of_floats(const char* op) {
  return [op](Builder& b, Value x) {
    const DType dtype = b.dtype(x);
    return dtype.is_float() ? b.call(op, {x}) : b.cast(b.call(op, {b.cast(x, kFloat64)}), dtype);
  };
}

std::vector<Value> log_sum_exp(const Node& node) {
  Builder& b = node.builder();
  const Value given = node.input(0);
  const DType dtype = b.dtype(given);
  const Value x = dtype.is_float() ? given : b.cast(given, kFloat64);
  const Folded f = folded(node);
  if (f.axes.empty() || b.type(x).size() == 0) {
    return {b.cast(b.call("log", {fold(b, "sum", b.call("exp", {x}), f)}), dtype)};
  }
  // Less the greatest, so that no power is too large; where that is infinite, nothing is taken off.
  const Value greatest = b.fold("max", x, f.axes, true);
  const Value finite = b.call("less", {b.call("abs", {greatest}), b.scalar(b.dtype(x), INFINITY)});
  const Value shift = b.call("where", {finite, greatest, b.scalar(b.dtype(x), 0)});
  const Value sum = b.fold("sum", b.call("exp", {b.subtract(x, shift)}), f.axes, true);
  Value y = b.add(b.call("log", {sum}), shift);
  if (!f.keeps_axes) y = b.reshape(y, b.shape(b.fold("max", x, f.axes, false)));
  return {b.cast(y, dtype)};
}

ImportOperator arg(std::string op) {
  return [op](const Node& node) {
    Builder& b = node.builder();
    Value x = node.input(0);
    const size_t axis = node.axis(node.integer("axis", 0), b.rank(x));
    const bool last = node.integer("select_last_index", 0) != 0, keeps = node.integer("keepdims", 1) != 0;
    if (b.shape(x)[axis] == 0) fail("there is nothing along axis {} of {}", axis, describe(b.type(x)));
    if (last) {
      const int64_t count = b.shape(x)[axis];
      x = b.pick(x, axis, count, [&](int64_t i) { return count - 1 - i; });
    }
    const Value at = b.cast(b.call(op, {x}, {{"axis", static_cast<int64_t>(axis)}, {"keep_axes", keeps}}), kInt64);
    const double end = static_cast<double>(b.shape(x)[axis] - 1);
    return std::vector{last ? b.subtract(b.scalar(kInt64, end), at) : at};
  };
}

std::vector<Value> top_k(const Node& node) {
  Builder& b = node.builder();
  const int64_t k = node.version() < 10 ? node.integer("k") : node.integer(1, "k");
  node.integer("sorted", 1);  // which they are, asked for or not
  const std::vector<Value> both =
      b.call_all("top_k", {node.input(0)},
                 {{"k", k}, {"axis", node.integer("axis", -1)}, {"largest", node.integer("largest", 1) != 0}});
  return {both[0], b.cast(both[1], kInt64)};
}

ImportOperator cumulative(std::string op) {
  return [op](const Node& node) {
    const int64_t axis = node.integer(1, "axis");
    return std::vector{node.builder().call(op, {node.input(0)},
                                           {{"axis", axis},
                                            {"exclusive", node.integer("exclusive", 0) != 0},
                                            {"reverse", node.integer("reverse", 0) != 0}})};
  };
}

}  // namespace

OperatorFamily reduce_family() {
  return {{"ReduceSum", reduction("sum")},
          {"ReduceMean", reduction("mean")},
          {"ReduceMax", reduction("max")},
          {"ReduceMin", reduction("min")},
          {"ReduceProd", reduction("prod")},
          {"ReduceL1", rounded_once(reduction("sum", absolute))},
          {"ReduceL2", rounded_once(reduction("sum", square, of_floats("sqrt")))},
          {"ReduceSumSquare", rounded_once(reduction("sum", square))},
          {"ReduceLogSum", rounded_once(reduction("sum", nullptr, of_floats("log")))},
          {"ReduceLogSumExp", rounded_once(log_sum_exp)},
          {"ArgMax", arg("argmax")},
          {"ArgMin", arg("argmin")},
          {"TopK", top_k},
          {"CumSum", cumulative("cumsum")},
          {"CumProd", cumulative("cumprod")}};
}

}  // namespace vantage::onnx_models
