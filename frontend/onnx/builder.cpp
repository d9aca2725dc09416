#include "frontend/onnx/builder.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/operators.h"

namespace vantage::onnx_models {

namespace {

// Elements of operands, up to which they are computed with at once; weights are left to a pass that knows what is
// needed of them.
constexpr int64_t kMostFolded = 1 << 16;

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

}  // namespace

void Builder::require_few(int64_t elements) {
  if (elements < 0 || elements > kMostMade)
    fail("it makes {} elements of constants, expected up to {}", elements, kMostMade);
}

void Builder::require_possible(const TensorType& type) {
  constexpr uint64_t kMost = uint64_t{1} << 44;
  if (dense_bytes(type.dtype, type.shape) > kMost) fail("{} is larger than any memory", describe(type));
}

Tensor Builder::blank(DType dtype, Tensor::Shape shape) {
  require_few(static_cast<int64_t>(dense_bytes(dtype, shape)) / dtype.bytes());
  return Tensor(dtype, std::move(shape));
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
  if (std::none_of(operands.begin(), operands.end(), [](const Tensor* t) { return t == nullptr; })) require_few(made);
  if (made == 0) {
    for (const TensorType& t : types) results.push_back(constant(Tensor(t.dtype, t.shape)));
  } else if (are_known && (only_moves(name) || (elements <= kMostFolded && made <= kMostFolded))) {
    for (Tensor& tensor : op.reference(call, operands)) results.push_back(constant(std::move(tensor)));
  } else {
    const Value first = graph_.call(op, std::move(inputs), std::move(call.attributes), name_);
    for (uint32_t i = 0; i < types.size(); ++i) results.push_back({first.node, i});
  }
  return results;
}

Value Builder::call(std::string_view op, std::vector<Value> inputs, graph::GivenAttributes attributes) {
  return call_all(op, std::move(inputs), std::move(attributes)).front();
}

Value Builder::scalar(DType dtype, double value) {
  Tensor tensor(dtype, {});
  tensor.set_number(0, value);
  return constant(std::move(tensor));
}

Value Builder::integers(const Integers& values) {
  Tensor tensor(kInt64, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.values<int64_t>().begin());
  return constant(std::move(tensor));
}

Value Builder::cast(Value x, DType to) {
  return dtype(x) == to ? x : call("cast", {x}, {{"dtype", to}});
}

Value Builder::reshape(Value x, const Tensor::Shape& to) {
  if (shape(x) == to) return x;
  if (const Tensor* tensor = known(x)) return constant(tensor->reshaped(to));
  return call("reshape", {x}, {{"shape", Integers(to)}});
}

Value Builder::transpose(Value x, const Integers& order) {
  if (std::is_sorted(order.begin(), order.end())) return x;
  return call("transpose", {x}, {{"order", order}});
}

Value Builder::unsqueeze(Value x, size_t axis) {
  Tensor::Shape to = shape(x);
  to.insert(to.begin() + static_cast<ptrdiff_t>(axis), 1);
  return reshape(x, to);
}

Value Builder::squeeze(Value x, size_t axis) {
  Tensor::Shape to = shape(x);
  to.erase(to.begin() + static_cast<ptrdiff_t>(axis));
  return reshape(x, to);
}

Value Builder::slice(Value x, size_t axis, int64_t begin, int64_t end, int64_t step) {
  const Tensor::Shape& from = shape(x);
  if (begin == 0 && end == from[axis] && step == 1) return x;
  if (begin >= end) {
    Tensor::Shape none = from;
    none[axis] = 0;
    return constant(Tensor(dtype(x), none));
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
  if (whole.size() == 0) return constant(Tensor(dtype(x), to));
  // Of two that are the same, in the shape of all.
  for (uint8_t& value : whole.values<uint8_t>()) value = 1;
  return call("where", {constant(std::move(whole)), x, x});
}

Value Builder::fold(std::string_view op, Value x, const Integers& axes, bool keep_axes) {
  return call(op, {x}, {{"axes", axes}, {"keep_axes", keep_axes}});
}

}  // namespace vantage::onnx_models
