// Making a graph from another one, node by node: what passes do.
//
//   Rewrite rewrite(graph);
//   for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
//     if (is_superfluous(n)) {
//       rewrite.replace(n, {rewrite.at(graph.nodes()[n].inputs[0])});
//     } else {
//       rewrite.copy(n);
//     }
//   }
//   return std::move(rewrite).finish();
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.h"

namespace vantage::graph {

class Rewrite {
 public:
  // REQUIRES: `from` outlives this.
  explicit Rewrite(const Graph& from) : from_(from), to_(from.name()), values_(from.nodes().size()) {}

  // What a value of the old graph is in the new one. REQUIRES: its node has been copied or replaced.
  Value at(Value old) const;
  std::vector<Value> at(const std::vector<Value>& old) const;

  // The node as it is, on what its inputs have become.
  void copy(uint32_t node);
  // The node's outputs are these values of the new graph, which its users take from here on.
  void replace(uint32_t node, std::vector<Value> outputs);

  // The new graph as it is so far, to add nodes to.
  Graph& graph() { return to_; }

  // The new graph, with what the old one's outputs have become.
  Graph finish() &&;

 private:
  const Graph& from_;
  Graph to_;
  std::vector<std::vector<Value>> values_;  // by node of the old graph
};

// How often each node's outputs are used, all together; by the graph's outputs too.
std::vector<uint32_t> uses(const Graph& graph);

}  // namespace vantage::graph
