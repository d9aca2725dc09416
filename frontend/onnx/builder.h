// A graph in the making, in which what depends on constants alone is computed at once: the shapes that ONNX files
// compute with operators become numbers as they are read.
//
// Thread safety: none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/graph/graph.h"

namespace vantage::onnx_models {

using graph::Value;
using ops::Integers;

class Builder {
 public:
  explicit Builder(std::string name) : graph_(std::move(name)) {}

  // Names of calls from here on.
  void set_name(std::string name) { name_ = std::move(name); }

  Value call(std::string_view op, std::vector<Value> inputs, graph::GivenAttributes attributes = {});
  // Of an operator with several.
  std::vector<Value> call_all(std::string_view op, std::vector<Value> inputs, graph::GivenAttributes attributes = {});

  // A constant in the making, all zero: a few bytes of a file may ask for more than any memory has. Throws Error for
  // more than kMostMade elements.
  static Tensor blank(DType dtype, Tensor::Shape shape);
  static void require_few(int64_t elements);
  // Throws Error for a tensor that no memory holds: sizes of all others can be multiplied and added up.
  static void require_possible(const TensorType& type);
  static constexpr int64_t kMostMade = int64_t{1} << 28;

  Value constant(Tensor tensor) { return graph_.constant(std::move(tensor), name_ + ".constant"); }
  // A number without axes.
  Value scalar(DType dtype, double value);
  Value integers(const Integers& values);  // int64 [n]

  const TensorType& type(Value value) const { return graph_.type(value); }
  const Tensor::Shape& shape(Value value) const { return type(value).shape; }
  DType dtype(Value value) const { return type(value).dtype; }
  int64_t rank(Value value) const { return static_cast<int64_t>(shape(value).size()); }
  // What it is, where that is known.
  const Tensor* known(Value value) const { return graph_.node(value).constant.get(); }

  // What files say with several operators.
  Value cast(Value x, DType dtype);
  Value reshape(Value x, const Tensor::Shape& shape);
  Value transpose(Value x, const Integers& order);
  Value unsqueeze(Value x, size_t axis);
  Value squeeze(Value x, size_t axis);
  Value slice(Value x, size_t axis, int64_t begin, int64_t end, int64_t step = 1);
  Value concatenate(const std::vector<Value>& parts, size_t axis);
  // The same elements, again and again, until it has this shape.
  Value broadcast_to(Value x, const Tensor::Shape& shape);
  Value add(Value a, Value b) { return call("add", {a, b}); }
  Value subtract(Value a, Value b) { return call("subtract", {a, b}); }
  Value multiply(Value a, Value b) { return call("multiply", {a, b}); }
  Value divide(Value a, Value b) { return call("divide", {a, b}); }
  // With a number of the other side's type.
  Value add(Value a, double b) { return add(a, scalar(dtype(a), b)); }
  Value multiply(Value a, double b) { return multiply(a, scalar(dtype(a), b)); }
  Value fold(std::string_view op, Value x, const Integers& axes, bool keep_axes);

  graph::Graph& graph() { return graph_; }

 private:
  graph::Graph graph_;
  std::string name_;
};

}  // namespace vantage::onnx_models
