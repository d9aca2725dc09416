#include "compiler/graph/passes/remove_dead_code.h"

#include "compiler/graph/rewrite.h"

namespace vantage::graph {

Graph remove_dead_code(Graph graph) {
  const std::vector<Node>& nodes = graph.nodes();
  std::vector<bool> needed(nodes.size());
  for (const Value& output : graph.outputs()) needed[output.node] = true;
  for (size_t n = nodes.size(); n-- > 0;) {
    for (const Value& input : nodes[n].inputs) needed[input.node] = needed[input.node] || needed[n];
  }
  Rewrite rewrite(graph);
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (needed[n] || nodes[n].kind == Node::Kind::kInput) rewrite.copy(n);
  }
  return std::move(rewrite).finish();
}

}  // namespace vantage::graph
