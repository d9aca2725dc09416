#include "compiler/graph/evaluate.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage::graph {

namespace {

void check_inputs(const Graph& graph, const Inputs& inputs) {
  std::vector<std::string> names;
  for (const uint32_t n : graph.inputs()) names.push_back(graph.nodes()[n].name);
  for (const auto& [name, tensor] : inputs) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail("graph {} has no input {}{}", graph.name(), name, did_you_mean(name, names));
    }
  }
  for (const uint32_t n : graph.inputs()) {
    const Node& node = graph.nodes()[n];
    const auto given = inputs.find(node.name);
    if (given == inputs.end()) fail("input {} is missing: {}", node.name, describe(node.types[0]));
    if (type_of(given->second) != node.types[0]) {
      fail("input {} is {}, expected {}", node.name, describe(given->second), describe(node.types[0]));
    }
  }
}

// Which node uses a node's values last; none: what is never used. Outputs are used behind all nodes.
std::vector<size_t> last_uses(const Graph& graph) {
  const size_t count = graph.nodes().size();
  std::vector<size_t> last(count, 0);
  for (size_t n = 0; n < count; ++n) {
    for (const Value& input : graph.nodes()[n].inputs) last[input.node] = n;
  }
  for (const Value& output : graph.outputs()) last[output.node] = count;
  return last;
}

}  // namespace

std::vector<Tensor> evaluate(const Graph& graph, const Inputs& inputs, const std::function<void(uint32_t)>& done) {
  check_inputs(graph, inputs);
  const std::vector<Node>& nodes = graph.nodes();
  const std::vector<size_t> last = last_uses(graph);
  std::vector<std::vector<Tensor>> made(nodes.size());
  const auto tensor = [&](Value value) -> const Tensor& {
    const Node& node = nodes[value.node];
    if (node.kind == Node::Kind::kInput) return inputs.find(node.name)->second;
    return node.kind == Node::Kind::kConstant ? *node.constant : made[value.node][value.output];
  };
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    if (node.kind != Node::Kind::kCall && node.kind != Node::Kind::kFunction) continue;
    std::vector<const Tensor*> values;
    for (const Value& input : node.inputs) values.push_back(&tensor(input));
    made[n] = evaluate_node(graph, n, values);
    for (const Value& input : node.inputs) {
      if (last[input.node] == n) made[input.node].clear();
    }
    if (done) done(n);
  }
  std::vector<Tensor> outputs;
  for (const Value& output : graph.outputs()) outputs.push_back(tensor(output));
  return outputs;
}

std::vector<Tensor> evaluate_node(const Graph& graph, uint32_t number, const std::vector<const Tensor*>& values) {
  const Node& node = graph.nodes().at(number);
  if (node.kind == Node::Kind::kCall) return node.op->reference(node.operator_call(graph.nodes()), values);
  VANTAGE_CHECK(node.kind == Node::Kind::kFunction);
  const std::vector<uint32_t> parameters = node.function->inputs();
  Inputs given;
  for (size_t i = 0; i < parameters.size(); ++i) {
    given.emplace(node.function->nodes()[parameters[i]].name, *values.at(i));
  }
  return evaluate(*node.function, given);
}

}  // namespace vantage::graph
