#include "compiler/network/vta/function.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::network {

using graph::Node;
using graph::Value;

void BoundFunction::add_input(const graph::Graph& whole, Value value) {
  constants.push_back(whole.node(value).constant);
  ranges.push_back(whole.type(value).dtype.is_int() ? graph::element_range(whole, value) : graph::ElementRange());
}

bool FunctionReader::is(Value value, std::string_view op) const {
  return node(value).is_call(op);
}

std::shared_ptr<const Tensor> FunctionReader::constant(Value value) const {
  const Node& n = node(value);
  if (n.kind == Node::Kind::kConstant) return n.constant;
  if (n.kind != Node::Kind::kInput) return nullptr;
  const std::vector<uint32_t> inputs = graph_.inputs();
  const auto number = std::find(inputs.begin(), inputs.end(), value.node) - inputs.begin();
  return function_.constants[static_cast<size_t>(number)];
}

std::optional<int64_t> FunctionReader::number(Value value) const {
  const auto tensor = constant(value);
  if (tensor == nullptr || !tensor->dtype().is_signed()) return std::nullopt;
  const int64_t first = tensor->integer(0);
  for (int64_t e = 1; e < tensor->size(); ++e) {
    if (tensor->integer(e) != first) return std::nullopt;
  }
  return first;
}

size_t FunctionReader::unpacked_input(Value value, int64_t batch, int64_t block) const {
  const bool is_activation = is(value, "unpack_tiles") && node(node(value).inputs[0]).kind == Node::Kind::kInput;
  if (!is_activation && type(value).dtype.is_float()) {
    fail("it takes {}, which only floats are made of, and an accelerator takes int8", describe(type(value)));
  }
  if (!is_activation) fail("{} is no activation in tiles", node(value).name);
  const Value tiles = node(value).inputs[0];
  const Tensor::Shape& shape = type(tiles).shape;
  if (type(tiles).dtype != kInt8) fail("{} is {}, expected int8", node(value).name, describe(type(value)));
  if (shape[4] != batch || shape[5] != block) {
    fail("{} comes in tiles of {} x {}, expected {} x {}", node(value).name, shape[4], shape[5], batch, block);
  }
  const std::vector<uint32_t> inputs = graph_.inputs();
  return static_cast<size_t>(std::find(inputs.begin(), inputs.end(), tiles.node) - inputs.begin());
}

Value FunctionReader::result(const isa::Config& config) const {
  const std::vector<Value>& outputs = graph_.outputs();
  if (outputs.size() != 1 || !is(outputs[0], "pack_tiles")) fail("it does not give one value in tiles");
  const Tensor::Shape& shape = type(outputs[0]).shape;
  if (shape[4] != config.batch() || shape[5] != config.block_out()) {
    fail("it gives tiles of {} x {}, expected {} x {}", shape[4], shape[5], config.batch(), config.block_out());
  }
  return node(outputs[0]).inputs[0];
}

}  // namespace vantage::network
