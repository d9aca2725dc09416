#include "compiler/graph/passes/constants_last.h"

#include "compiler/graph/rewrite.h"

namespace vantage::graph {

Graph constants_last(Graph graph) {
  Rewrite rewrite(graph);
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const Node& node = graph.nodes()[n];
    const bool either_way =
        node.is_call("add") || node.is_call("multiply") || node.is_call("maximum") || node.is_call("minimum");
    if (!either_way || graph.node(node.inputs[0]).constant == nullptr ||
        graph.node(node.inputs[1]).constant != nullptr) {
      rewrite.copy(n);
      continue;
    }
    const std::vector<Value> inputs = rewrite.at(node.inputs);
    rewrite.replace(n, {rewrite.graph().call(*node.op, {inputs[1], inputs[0]}, node.attributes, node.name)});
  }
  return std::move(rewrite).finish();
}

}  // namespace vantage::graph
