#include "frontend/onnx/builder.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/operators.h"

namespace vantage::onnx_models {

namespace {

// Elements of operands, up to which they are computed with at once; weights are left to a pass that knows what is
// needed of them.
constexpr int64_t kMostFolded = 1 << 16;
// What any file may ask for: elements of constants, steps of computing with them, and calls.
constexpr int64_t kElements = int64_t{1} << 24;
constexpr int64_t kSteps = int64_t{1} << 22;
constexpr int64_t kCalls = int64_t{1} << 13;
// Of what a file brings itself, elements for each call more.
constexpr int64_t kElementsOfCall = 16;
// Files that have larger tensors hold no network. Its square is a number.
constexpr int64_t kMostElements = int64_t{1} << 44;
constexpr size_t kMostAxes = 16;

// What comes out. Operators take tensors of at least one element; what works element by element makes nothing of
// nothing.
std::vector<TensorType> types_of(const ops::Operator& op, const ops::OperatorCall& call) {
  const bool is_by_element = op.pattern == ops::Pattern::kElementwise || op.pattern == ops::Pattern::kBroadcast;
  const bool has_empty =
      std::any_of(call.inputs.begin(), call.inputs.end(), [](const TensorType& t) { return t.size() == 0; });
  if (!is_by_element || !has_empty) return ops::infer(op, call);
  ops::OperatorCall with_some = call;
  Tensor::Shape shape;
  for (TensorType& input : with_some.inputs) {
    shape = ops::broadcast(shape, input.shape);
    for (int64_t& size : input.shape) size = std::max<int64_t>(size, 1);
  }
  std::vector<TensorType> types = ops::infer(op, with_some);
  for (TensorType& type : types) type.shape = shape;
  return types;
}

// Copies, which cost no more than the constant itself.
bool only_moves(std::string_view op) {
  static constexpr std::array<std::string_view, 4> kMoves = {"reshape", "transpose", "cast", "concatenate"};
  return std::find(kMoves.begin(), kMoves.end(), op) != kMoves.end();
}

// No fewer steps than an operator takes by plain loops: what does not work element by element may look at all operands
// for each of its results, and the other way around.
int64_t steps_of(const ops::Operator& op, int64_t elements, int64_t made) {
  const bool is_by_element = op.pattern == ops::Pattern::kElementwise || op.pattern == ops::Pattern::kBroadcast ||
                             op.pattern == ops::Pattern::kInjective;
  return is_by_element ? elements + made : (elements + made) * elements;
}

}  // namespace

Builder::Builder(std::string name)
    : graph_(std::move(name)), elements_left_(kElements), steps_left_(kSteps), calls_left_(kCalls) {}

void Builder::allow(int64_t elements) {
  elements_left_ += std::min(elements, kMostElements);
  steps_left_ += std::min(elements, kMostElements);
  calls_left_ += std::min(elements, kMostElements) / kElementsOfCall;
}

void Builder::spend(int64_t elements) {
  if (elements < 0 || elements > elements_left_) {
    fail("it makes {} elements of constants, and the file may have {} more", elements, elements_left_);
  }
  elements_left_ -= elements;
}

bool Builder::may_fold(int64_t steps) {
  if (steps > steps_left_) return false;
  steps_left_ -= steps;
  return true;
}

void Builder::require_possible(const TensorType& type) {
  // Nothing times much is nothing, but some of its axes may become one.
  Tensor::Shape some = type.shape;
  for (int64_t& size : some) size = size == 0 ? 1 : size;
  if (dense_bytes(type.dtype, some) > kMostElements) fail("{} is larger than any memory", describe(type));
  if (type.shape.size() > kMostAxes) fail("a tensor has {} axes, expected up to {}", type.shape.size(), kMostAxes);
}

Tensor Builder::blank(DType dtype, Tensor::Shape shape) {
  spend(static_cast<int64_t>(dense_bytes(dtype, shape)) / dtype.bytes());
  return Tensor(dtype, std::move(shape));
}

// The graph would look for a name that is free from the first number on, for each of many thousand steps of a layer.
std::string Builder::fresh(const std::string& name) {
  std::string unused = name;
  while (!names_.emplace(unused, 0).second) unused = fmt::format("{}_{}", name, ++names_[name]);
  return unused;
}

Value Builder::input(const std::string& name, TensorType type) {
  return graph_.input(fresh(name), std::move(type));
}

Value Builder::weights(const std::string& name, Tensor tensor) {
  require_possible(type_of(tensor));
  return graph_.constant(std::move(tensor), fresh(name));
}

Value Builder::constant(Tensor tensor) {
  return weights(name_ + ".constant", std::move(tensor));
}

std::vector<Value> Builder::call_all(std::string_view name, std::vector<Value> inputs,
                                     graph::GivenAttributes attributes) {
  const ops::Operator& op = ops::find_operator(name);
  ops::OperatorCall call{{}, ops::Attributes(op.attributes, std::move(attributes))};
  std::vector<const Tensor*> operands;
  int64_t elements = 0;
  for (const Value input : inputs) {
    call.inputs.push_back(type(input));
    operands.push_back(known(input));
    elements += call.inputs.back().size();
  }
  ops::check_inputs(op, inputs.size());
  const std::vector<TensorType> types = types_of(op, call);
  int64_t made = 0;
  for (const TensorType& t : types) {
    require_possible(t);
    made += t.size();
  }
  const bool are_known = std::all_of(operands.begin(), operands.end(), [](const Tensor* t) { return t != nullptr; });
  std::vector<Value> results;
  if (made == 0) {
    for (const TensorType& t : types) results.push_back(constant(Tensor(t.dtype, t.shape)));
  } else if (are_known && (only_moves(name) || (elements <= kMostFolded && made <= kMostFolded)) &&
             may_fold(steps_of(op, elements, made))) {
    for (Tensor& tensor : op.reference(call, operands)) results.push_back(constant(std::move(tensor)));
  } else {
    if (--calls_left_ < 0) fail("the network would have more calls than such a file may make");
    const Value first = graph_.call(op, std::move(inputs), std::move(call.attributes), fresh(name_));
    for (uint32_t i = 0; i < types.size(); ++i) results.push_back({first.node, i});
  }
  return results;
}

Value Builder::call(std::string_view op, std::vector<Value> inputs, graph::GivenAttributes attributes) {
  static constexpr std::array<std::string_view, 4> kProducts = {"matmul", "dense", "conv2d", "conv2d_transpose"};
  const bool is_product = std::find(kProducts.begin(), kProducts.end(), op) != kProducts.end();
  const bool says_sums = std::ranges::any_of(attributes, [](const auto& given) { return given.first == "dtype"; });
  if (is_product && !says_sums) {
    const DType given = dtype(inputs[0]);
    const Value sums = product(op, std::move(inputs), std::move(attributes));
    return given.is_narrow_float() ? cast(sums, given) : sums;
  }
  return call_all(op, std::move(inputs), std::move(attributes)).front();
}

Value Builder::product(std::string_view op, std::vector<Value> inputs, graph::GivenAttributes attributes) {
  const DType given = dtype(inputs[0]), sums = sums_of(given);
  if (sums != given) attributes.emplace_back("dtype", sums);
  return call_all(op, std::move(inputs), std::move(attributes)).front();
}

Value Builder::narrow_weights(Value integers, Value scales) {
  calls_left_ -= 2;
  if (calls_left_ < 0) fail("the network would have more calls than such a file may make");
  const Value floats = graph_.call("cast", {integers}, {{"dtype", dtype(scales)}}, fresh(name_ + ".float32"));
  return graph_.call("multiply", {floats, scales}, {}, fresh(name_));
}

Value Builder::scalar(DType dtype, double value) {
  Tensor tensor(dtype, {});
  tensor.set_number(0, value);
  return constant(std::move(tensor));
}

Value Builder::nothing(DType dtype, Tensor::Shape shape) {
  return constant(Tensor(dtype, std::move(shape)));
}

Value Builder::integer(int64_t value) {
  Tensor tensor(kInt64, {});
  tensor.set_integer(0, value);
  return constant(std::move(tensor));
}

Value Builder::integers(const Integers& values) {
  Tensor tensor = blank(kInt64, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.values<int64_t>().begin());
  return constant(std::move(tensor));
}

Value Builder::cast(Value x, DType to) {
  return dtype(x) == to ? x : call("cast", {x}, {{"dtype", to}});
}

Value Builder::reshape(Value x, const Tensor::Shape& to) {
  if (shape(x) == to) return x;
  const TensorType made{dtype(x), to};
  require_possible(made);
  if (made.size() != type(x).size()) fail("{} has not as many elements as {}", describe(type(x)), describe(made));
  if (const Tensor* tensor = known(x); tensor != nullptr && may_fold(tensor->size())) {
    return constant(tensor->reshaped(to));
  }
  return call("reshape", {x}, {{"shape", Integers(to)}});
}

Value Builder::transpose(Value x, const Integers& order) {
  if (std::is_sorted(order.begin(), order.end())) return x;
  return call("transpose", {x}, {{"order", order}});
}

Value Builder::unsqueeze(Value x, size_t axis) {
  Tensor::Shape to = shape(x);
  if (axis > to.size()) fail("{} has no axis {}", describe(type(x)), axis);
  to.insert(to.begin() + static_cast<ptrdiff_t>(axis), 1);
  return reshape(x, to);
}

Value Builder::squeeze(Value x, size_t axis) {
  Tensor::Shape to = shape(x);
  if (axis >= to.size()) fail("{} has no axis {}", describe(type(x)), axis);
  to.erase(to.begin() + static_cast<ptrdiff_t>(axis));
  return reshape(x, to);
}

Value Builder::pick(Value x, size_t axis, int64_t count, const std::function<int64_t(int64_t)>& place) {
  if (count == 0) return slice(x, axis, 0, 0);
  Tensor places = blank(kInt64, {count});
  for (int64_t i = 0; i < count; ++i) places.set_integer(i, place(i));
  return call("gather", {x, constant(std::move(places))}, {{"axis", static_cast<int64_t>(axis)}});
}

Value Builder::slice(Value x, size_t axis, int64_t begin, int64_t end, int64_t step) {
  const Tensor::Shape& from = shape(x);
  if (axis >= from.size()) fail("it takes a part of {} along axis {}", describe(type(x)), axis);
  if (begin == 0 && end == from[axis] && step == 1) return x;
  if (begin >= end) {
    Tensor::Shape none = from;
    none[axis] = 0;
    return nothing(dtype(x), none);
  }
  Integers begins(from.size(), 0), ends = from, steps(from.size(), 1);
  begins[axis] = begin, ends[axis] = end, steps[axis] = step;
  return call("slice", {x}, {{"begin", begins}, {"end", ends}, {"step", steps}});
}

Value Builder::concatenate(const std::vector<Value>& parts, size_t axis) {
  std::vector<Value> some;
  for (const Value part : parts) {
    if (shape(part).size() <= axis)
      fail("it joins {} and {} along axis {}", describe(type(parts[0])), describe(type(part)), axis);
    if (shape(part)[axis] > 0) some.push_back(part);
  }
  if (some.empty()) return parts.at(0);
  return some.size() == 1 ? some[0] : call("concatenate", some, {{"axis", static_cast<int64_t>(axis)}});
}

Value Builder::broadcast_to(Value x, const Tensor::Shape& to) {
  if (shape(x) == to) return x;
  Tensor whole = blank(kBool, to);
  if (whole.size() == 0) return nothing(dtype(x), to);
  // Of two that are the same, in the shape of all.
  for (uint8_t& value : whole.values<uint8_t>()) value = 1;
  return call("where", {constant(std::move(whole)), x, x});
}

Value Builder::fold(std::string_view op, Value x, const Integers& axes, bool keep_axes) {
  return call(op, {x}, {{"axes", axes}, {"keep_axes", keep_axes}});
}

}  // namespace vantage::onnx_models
