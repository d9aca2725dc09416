#include "compiler/graph/rewrite.h"

#include "base/error.h"

namespace vantage::graph {

Value Rewrite::at(Value old) const {
  const std::vector<Value>& outputs = values_.at(old.node);
  VANTAGE_CHECK(old.output < outputs.size());
  return outputs[old.output];
}

std::vector<Value> Rewrite::at(const std::vector<Value>& old) const {
  std::vector<Value> result;
  for (const Value& value : old) result.push_back(at(value));
  return result;
}

void Rewrite::copy(uint32_t number) {
  const Node& node = from_.nodes().at(number);
  Value first;
  switch (node.kind) {
    case Node::Kind::kInput: first = to_.input(node.name, node.types[0]); break;
    case Node::Kind::kConstant: first = to_.constant(node.constant, node.name); break;
    case Node::Kind::kFunction: first = to_.call(node.function, at(node.inputs), node.name); break;
    case Node::Kind::kCall: first = to_.call(*node.op, at(node.inputs), node.attributes, node.name); break;
  }
  std::vector<Value> outputs;
  for (uint32_t output = 0; output < node.types.size(); ++output) outputs.push_back({first.node, output});
  replace(number, std::move(outputs));
}

void Rewrite::replace(uint32_t number, std::vector<Value> outputs) {
  const Node& node = from_.nodes().at(number);
  VANTAGE_CHECK(outputs.size() == node.types.size());
  for (size_t i = 0; i < outputs.size(); ++i) VANTAGE_CHECK(to_.type(outputs[i]) == node.types[i]);
  values_[number] = std::move(outputs);
}

Graph Rewrite::finish() && {
  to_.set_outputs(at(from_.outputs()));
  to_.name_outputs(from_.output_names());
  to_.set_device(from_.device());
  return std::move(to_);
}

std::vector<uint32_t> uses(const Graph& graph) {
  std::vector<uint32_t> count(graph.nodes().size());
  for (const Node& node : graph.nodes()) {
    for (const Value& input : node.inputs) ++count[input.node];
  }
  for (const Value& output : graph.outputs()) ++count[output.node];
  return count;
}

}  // namespace vantage::graph
