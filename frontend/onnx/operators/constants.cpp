// Operators that make tensors of numbers, of shapes, and of places.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

namespace {

std::vector<Value> shape(const Node& node) {
  Builder& b = node.builder();
  const Tensor::Shape& all = b.shape(node.input(0));
  const auto rank = static_cast<int64_t>(all.size());
  const auto place = [&](int64_t given) { return std::clamp<int64_t>(given < 0 ? given + rank : given, 0, rank); };
  const int64_t begin = place(node.integer("start", 0)), end = std::max(begin, place(node.integer("end", rank)));
  return {b.integers(Integers(all.begin() + begin, all.begin() + end))};
}

std::vector<Value> size(const Node& node) {
  Builder& b = node.builder();
  return {b.integer(b.type(node.input(0)).size())};
}

std::vector<Value> constant(const Node& node) {
  Builder& b = node.builder();
  if (node.has_attribute("value")) return {b.constant(node.tensor("value"))};
  if (node.has_attribute("value_int")) return {b.integer(node.integer("value_int"))};
  if (node.has_attribute("value_ints")) return {b.integers(node.integers("value_ints"))};
  if (node.has_attribute("value_float")) return {b.scalar(kFloat32, node.number("value_float", 0))};
  if (node.has_attribute("value_floats")) {
    const std::vector<double> values = node.numbers("value_floats");
    Tensor tensor = b.blank(kFloat32, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; i < values.size(); ++i) tensor.set_number(static_cast<int64_t>(i), values[i]);
    return {b.constant(std::move(tensor))};
  }
  fail("its value is neither a tensor nor numbers");
}

std::vector<Value> constant_of_shape(const Node& node) {
  Builder& b = node.builder();
  Tensor value(kFloat32, {1});
  if (node.has_attribute("value")) value = node.tensor("value");
  if (value.size() != 1) fail("its value is {}, expected one element", describe(value));
  Tensor tensor = b.blank(value.dtype(), node.integers(0, "shape"));
  for (int64_t e = 0; e < tensor.size(); ++e) tensor.set(e, value.get(0));
  return {b.constant(std::move(tensor))};
}

std::vector<Value> range(const Node& node) {
  Builder& b = node.builder();
  const DType dtype = b.dtype(node.input(0));
  const double start = node.number(0, "start"), limit = node.number(1, "limit"), delta = node.number(2, "delta");
  const double count = std::ceil((limit - start) / delta);
  if (delta == 0 || !std::isfinite(count) || count > 1e12) fail("it goes from {} to {} by {}", start, limit, delta);
  Tensor values = b.blank(dtype, {std::max<int64_t>(0, static_cast<int64_t>(count))});
  for (int64_t i = 0; i < values.size(); ++i) values.set_number(i, start + static_cast<double>(i) * delta);
  return {b.constant(std::move(values))};
}

std::vector<Value> eye_like(const Node& node) {
  Builder& b = node.builder();
  const Tensor::Shape& s = b.shape(node.input(0));
  if (s.size() != 2) fail("it takes matrices, not {}", describe(b.type(node.input(0))));
  Tensor eye = b.blank(node.has_attribute("dtype") ? dtype_of(node.integer("dtype")) : b.dtype(node.input(0)), s);
  // Beyond all columns at most.
  const int64_t offset = std::clamp(node.integer("k", 0), -s[0], s[1]);
  for (int64_t row = 0; row < s[0]; ++row) {
    if (row + offset >= 0 && row + offset < s[1]) eye.set_integer(row * s[1] + row + offset, 1);
  }
  return {b.constant(std::move(eye))};
}

std::vector<Value> one_hot(const Node& node) {
  Builder& b = node.builder();
  const Value indices = b.cast(node.input(0), kInt64), values = node.input(2);
  const Tensor& asked = node.constant(1, "depth");
  if (asked.size() != 1 || !(asked.number(0) >= 1 && asked.number(0) <= INT32_MAX)) {
    fail("its depth is {}, expected one number from 1 on", describe(asked));
  }
  const int64_t depth = asked.integer(0), rank = b.rank(indices);
  const size_t axis = node.axis(node.integer("axis", -1), rank + 1);
  Tensor places = b.blank(kInt64, {depth});
  for (int64_t i = 0; i < depth; ++i) places.set_integer(i, i);
  Tensor::Shape along(static_cast<size_t>(rank) + 1, 1);
  along[axis] = depth;
  // From either end.
  const Value count = b.scalar(kInt64, static_cast<double>(depth));
  const Value from_end =
      b.call("where", {b.call("less", {indices, b.scalar(kInt64, 0)}), b.add(indices, count), indices});
  const Value hits = b.call("equal", {b.unsqueeze(from_end, axis), b.reshape(b.constant(std::move(places)), along)});
  const auto value = [&](int64_t number) { return b.reshape(b.slice(values, 0, number, number + 1), {}); };
  return {b.call("where", {hits, value(1), value(0)})};
}

std::vector<Value> non_zero(const Node& node) {
  Builder& b = node.builder();
  const Tensor& x = node.constant(0, "input");
  int64_t count = 0, column = 0;
  for (int64_t e = 0; e < x.size(); ++e) count += x.number(e) != 0 ? 1 : 0;
  Tensor indices = b.blank(kInt64, {static_cast<int64_t>(x.rank()), count});
  for (int64_t e = 0; e < x.size(); ++e) {
    if (x.number(e) == 0) continue;
    const Tensor::Shape at = x.index_of(e);
    for (size_t d = 0; d < at.size(); ++d) indices.set_integer(static_cast<int64_t>(d) * count + column, at[d]);
    ++column;
  }
  return {b.constant(std::move(indices))};
}

std::vector<Value> trilu(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape& s = b.shape(x);
  if (s.size() < 2) fail("it takes matrices, not {}", describe(b.type(x)));
  const bool upper = node.integer("upper", 1) != 0;
  const int64_t k = node.has(1) ? node.integer(1, "k") : 0, rows = s[s.size() - 2], columns = s.back();
  Tensor keeps = b.blank(kBool, {rows, columns});
  for (int64_t e = 0; e < keeps.size(); ++e) {
    const int64_t beyond = e % std::max<int64_t>(columns, 1) - e / std::max<int64_t>(columns, 1);
    keeps.set_integer(e, (upper ? beyond >= k : beyond <= k) ? 1 : 0);
  }
  return {b.call("where", {b.constant(std::move(keeps)), x, b.scalar(b.dtype(x), 0)})};
}

}  // namespace

OperatorFamily constant_family() {
  return {{"Shape", shape},     {"Size", size},        {"Constant", constant}, {"ConstantOfShape", constant_of_shape},
          {"Range", range},     {"EyeLike", eye_like}, {"OneHot", one_hot},    {"Trilu", trilu},
          {"NonZero", non_zero}};
}

}  // namespace vantage::onnx_models
