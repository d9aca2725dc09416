// A graph in the making, in which what depends on constants alone is computed at once: the shapes that ONNX files
// compute with operators become numbers as they are read.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <map>
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
  explicit Builder(std::string name);

  // Names of calls from here on.
  void set_name(std::string name) { name_ = std::move(name); }

  Value input(const std::string& name, TensorType type);
  // A constant of the file's own.
  Value weights(const std::string& name, Tensor tensor);

  Value call(std::string_view op, std::vector<Value> inputs, graph::GivenAttributes attributes = {});
  // Sums of products, as call() has them but in the type that they are added up in (sums_of): whoever adds something to
  // them rounds once, behind that.
  Value product(std::string_view op, std::vector<Value> inputs, graph::GivenAttributes attributes = {});
  // Of an operator with several.
  std::vector<Value> call_all(std::string_view op, std::vector<Value> inputs, graph::GivenAttributes attributes = {});

  // A few bytes of a file may ask for more than any memory has, and longer than anyone waits. So what is made of
  // constants is counted: a file may ask for a little, and for more the more it brings itself.
  void allow(int64_t elements);
  // Throws Error for more elements than are left.
  void spend(int64_t elements);
  // A constant in the making, all zero, whose elements are spent.
  Tensor blank(DType dtype, Tensor::Shape shape);
  // Throws Error for a tensor that no memory holds, so that sizes of all others can be multiplied and added up, and for
  // one of more axes than the text of a graph can say.
  static void require_possible(const TensorType& type);

  Value constant(Tensor tensor);
  Value nothing(DType dtype, Tensor::Shape shape);  // REQUIRES: a size is 0
  // multiply(cast(integers), scales), which is not computed now: weights stay integers in the network.
  Value narrow_weights(Value integers, Value scales);
  // A number without axes.
  Value scalar(DType dtype, double value);
  Value integers(const Integers& values);  // int64 [n]
  Value integer(int64_t value);            // int64 without axes

  const TensorType& type(Value value) const { return graph_.type(value); }
  const Tensor::Shape& shape(Value value) const { return type(value).shape; }
  DType dtype(Value value) const { return type(value).dtype; }
  int64_t rank(Value value) const { return static_cast<int64_t>(shape(value).size()); }
  // What it is, where that is known.
  const Tensor* known(Value value) const { return graph_.node(value).constant.get(); }

  // What numbers of a type are added up in, so that neither they nor their squares become infinite on the way: float32
  // of narrower floats.
  static DType sums_of(DType dtype) { return dtype.is_narrow_float() ? kFloat32 : dtype; }

  // What files say with several operators.
  Value cast(Value x, DType dtype);
  Value wide(Value x) { return cast(x, sums_of(dtype(x))); }
  Value reshape(Value x, const Tensor::Shape& shape);
  Value transpose(Value x, const Integers& order);
  Value unsqueeze(Value x, size_t axis);
  Value squeeze(Value x, size_t axis);
  // Elements of an axis by their numbers.
  Value pick(Value x, size_t axis, int64_t count, const std::function<int64_t(int64_t)>& place);
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
  std::string fresh(const std::string& name);
  // Whether steps of computing with constants are left; they are taken then.
  bool may_fold(int64_t steps);

  graph::Graph graph_;
  std::string name_;
  std::map<std::string, int64_t, std::less<>> names_;  // that are taken, and how many more were made of each
  int64_t elements_left_, steps_left_, calls_left_;
};

}  // namespace vantage::onnx_models
