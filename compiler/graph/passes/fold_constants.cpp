#include "compiler/graph/passes/fold_constants.h"

#include <algorithm>

#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

uint64_t bytes(const std::vector<TensorType>& types) {
  uint64_t all = 0;
  for (const TensorType& type : types) all += type.bytes();
  return all;
}

}  // namespace

Graph fold_constants(Graph graph) {
  const std::vector<Node>& nodes = graph.nodes();
  // Weights that are kept as integers would take four times the memory.
  std::vector<bool> stays(nodes.size());
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].constant != nullptr || !is_weight(graph, {n, 0})) continue;
    for (uint32_t m = n; nodes[m].kind == Node::Kind::kCall; m = nodes[m].inputs[0].node) stays[m] = true;
  }
  Rewrite rewrite(graph);
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    std::vector<const Tensor*> operands;
    if (node.kind == Node::Kind::kCall && !stays[n]) {
      for (const Value& input : rewrite.at(node.inputs)) operands.push_back(rewrite.graph().node(input).constant.get());
    }
    const bool is_constant = node.kind == Node::Kind::kCall && !stays[n] &&
                             std::find(operands.begin(), operands.end(), nullptr) == operands.end();
    const ops::OperatorCall call = is_constant ? node.operator_call(nodes) : ops::OperatorCall();
    if (!is_constant || bytes(node.types) > std::max(kMostFolded, bytes(call.inputs))) {
      rewrite.copy(n);
      continue;
    }
    std::vector<Value> folded;
    for (Tensor& result : node.op->reference(call, operands)) {
      folded.push_back(rewrite.graph().constant(std::move(result), node.name));
    }
    rewrite.replace(n, std::move(folded));
  }
  return std::move(rewrite).finish();
}

}  // namespace vantage::graph
