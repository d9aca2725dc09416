// Operators that bring elements to one size: norms, softmax and its kin.
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/rounded_once.h"

namespace vantage::onnx_models {

namespace {

// A number for each channel, along the second axis.
Value along_second(Builder& b, Value v, int64_t rank) {
  Tensor::Shape shape(static_cast<size_t>(rank), 1);
  if (rank > 1) shape[1] = b.type(v).size();
  return b.reshape(v, shape);
}

Integers from_axis(int64_t first, int64_t rank) {
  Integers axes(static_cast<size_t>(rank - first));
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

std::vector<Value> batch_norm(const Node& node) {
  Builder& b = node.builder();
  if (node.integer("training_mode", 0) != 0) fail("it is in training; export the network for inference");
  const Value x = node.input(0);
  const DType dtype = b.dtype(x);
  const auto parameter = [&](size_t i) { return b.cast(node.input(i), dtype); };
  return {b.call("batch_norm", {x, parameter(1), parameter(2), parameter(3), parameter(4)},
                 {{"epsilon", node.number("epsilon", 1e-5)}})};
}

std::vector<Value> layer_norm(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const auto axis = static_cast<int64_t>(node.axis(node.integer("axis", -1), b.rank(x)));
  const double epsilon = node.number("epsilon", 1e-5);
  std::vector<Value> inputs = {x, node.input(1)};
  if (node.has(2)) inputs.push_back(node.input(2));
  std::vector<Value> outputs = {b.call("layer_norm", inputs, {{"axis", axis}, {"epsilon", epsilon}})};
  if (node.wants(1) || node.wants(2)) {
    const Integers axes = from_axis(axis, b.rank(x));
    const Value wide = b.wide(x), mean = b.fold("mean", wide, axes, true), apart = b.subtract(wide, mean);
    const Value variance = b.fold("mean", b.multiply(apart, apart), axes, true);
    const DType stash = node.integer("stash_type", 1) == 1 ? kFloat32 : b.dtype(wide);
    outputs.push_back(b.cast(mean, stash));
    outputs.push_back(b.cast(b.call("rsqrt", {b.add(variance, epsilon)}), stash));
  }
  return outputs;
}

std::vector<Value> rms_norm(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const auto axis = static_cast<int64_t>(node.axis(node.integer("axis", -1), b.rank(x)));
  return {b.call("rms_norm", {x, b.cast(node.input(1), b.dtype(x))},
                 {{"axis", axis}, {"epsilon", node.number("epsilon", 1e-5)}})};
}

// Rows of x in another shape, each with mean 0 and deviation 1.
Value standardized(Builder& b, Value x, const Tensor::Shape& rows, int64_t axis, double epsilon) {
  const Value one = b.reshape(b.scalar(b.dtype(x), 1), Tensor::Shape{1});
  return b.call("layer_norm", {b.reshape(x, rows), one}, {{"axis", axis}, {"epsilon", epsilon}});
}

std::vector<Value> instance_norm(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape s = b.shape(x);
  if (s.size() < 3) fail("{} is no image", describe(b.type(x)));
  const Value y = standardized(b, x, s, 2, node.number("epsilon", 1e-5));
  const int64_t rank = b.rank(x);
  return {b.add(b.multiply(y, along_second(b, node.input(1), rank)), along_second(b, node.input(2), rank))};
}

std::vector<Value> group_norm(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape s = b.shape(x);
  const int64_t groups = node.integer("num_groups");
  if (s.size() < 2 || groups < 1 || s[1] % groups != 0)
    fail("{} has no {} groups of channels", describe(b.type(x)), groups);
  const int64_t each = b.type(x).size() / std::max<int64_t>(1, s[0] * groups);
  const Value y = b.reshape(standardized(b, x, {s[0], groups, each}, 2, node.number("epsilon", 1e-5)), s);
  // Up to version 20 there was a number for each group.
  const auto parameter = [&](size_t i) {
    Value v = node.input(i);
    if (b.type(v).size() == groups && groups != s[1]) {
      v = b.reshape(b.broadcast_to(b.reshape(v, {groups, 1}), {groups, s[1] / groups}), {s[1]});
    }
    return along_second(b, v, b.rank(x));
  };
  return {b.add(b.multiply(y, parameter(1)), parameter(2))};
}

std::vector<Value> lp_norm(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const auto axis = static_cast<int64_t>(node.axis(node.integer("axis", -1), b.rank(x)));
  const int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2) fail("its p is {}, expected 1 or 2", p);
  const Value size = p == 1 ? b.fold("sum", b.call("abs", {x}), {axis}, true)
                            : b.call("sqrt", {b.fold("sum", b.multiply(x, x), {axis}, true)});
  // Of nothing but zeros nothing.
  const Value zero = b.scalar(b.dtype(x), 0), is_zero = b.call("equal", {size, zero});
  const Value safe = b.call("where", {is_zero, b.scalar(b.dtype(x), 1), size});
  return {b.call("where", {is_zero, zero, b.divide(x, safe)})};
}

std::vector<Value> mean_variance_norm(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Integers axes = node.integers("axes", {0, 2, 3});
  const Value mean = b.fold("mean", x, axes, true), apart = b.subtract(x, mean);
  const Value variance = b.fold("mean", b.multiply(apart, apart), axes, true);
  return {b.divide(apart, b.add(b.call("sqrt", {variance}), 1e-9))};
}

// Of each pixel the squares of some channels around its own.
std::vector<Value> lrn(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape s = b.shape(x);
  const int64_t size = node.integer("size");
  if (s.size() < 2 || size < 1) fail("it takes {} channels of {}", size, describe(b.type(x)));
  Integers before(s.size(), 0), after(s.size(), 0);
  // Beyond the last channel there is nothing to add.
  before[1] = std::min((size - 1) / 2, s[1] - 1);
  after[1] = std::min(size / 2, s[1] - 1);
  const Value around = b.call("pad", {b.multiply(x, x)}, {{"before", before}, {"after", after}});
  Value sum = b.slice(around, 1, 0, s[1]);
  for (int64_t i = 1; i <= before[1] + after[1]; ++i) sum = b.add(sum, b.slice(around, 1, i, i + s[1]));
  const Value base =
      b.add(b.multiply(sum, node.number("alpha", 1e-4) / static_cast<double>(size)), node.number("bias", 1));
  const Value divisor = b.call("power", {base, b.scalar(b.dtype(x), node.number("beta", 0.75))});
  return {b.divide(x, divisor)};
}

// Up to version 12 all axes from one on were one.
ImportOperator shares(const std::function<Value(Builder&, Value, int64_t)>& make) {
  return [make](const Node& node) {
    Builder& b = node.builder();
    const Value x = node.input(0);
    const auto axis = static_cast<int64_t>(node.axis(node.integer("axis", node.version() < 13 ? 1 : -1), b.rank(x)));
    if (node.version() >= 13) return std::vector{make(b, x, axis)};
    const Tensor::Shape s = b.shape(x);
    int64_t rows = 1;
    for (int64_t d = 0; d < axis; ++d) rows *= s[static_cast<size_t>(d)];
    return std::vector{b.reshape(make(b, b.reshape(x, {rows, b.type(x).size() / std::max<int64_t>(rows, 1)}), 1), s)};
  };
}

// 1 where the greatest is, the first of equals.
Value hardmax(Builder& b, Value x, int64_t axis) {
  const Value at = b.call("argmax", {x}, {{"axis", axis}, {"keep_axes", true}});
  const int64_t count = b.shape(x)[static_cast<size_t>(axis)];
  Tensor::Shape along(b.shape(x).size(), 1);
  along[static_cast<size_t>(axis)] = count;
  Tensor places = b.blank(kInt32, along);
  for (int64_t e = 0; e < count; ++e) places.set_integer(e, e);
  return b.cast(b.call("equal", {at, b.constant(std::move(places))}), b.dtype(x));
}

}  // namespace

OperatorFamily norm_family() {
  return {{"BatchNormalization", rounded_once(batch_norm)},
          {"LayerNormalization", layer_norm},
          {"RMSNormalization", rms_norm},
          {"InstanceNormalization", rounded_once(instance_norm)},
          {"GroupNormalization", rounded_once(group_norm)},
          {"LpNormalization", rounded_once(lp_norm)},
          {"MeanVarianceNormalization", rounded_once(mean_variance_norm)},
          {"LRN", rounded_once(lrn)},
          {"Softmax", shares([](Builder& b, Value x, int64_t axis) {
             return b.call("softmax", {x}, {{"axis", axis}});
           })},
          {"LogSoftmax", shares([](Builder& b, Value x, int64_t axis) {
             return b.call("log_softmax", {x}, {{"axis", axis}});
           })},
          {"Hardmax", shares(hardmax)}};
}

}  // namespace vantage::onnx_models
