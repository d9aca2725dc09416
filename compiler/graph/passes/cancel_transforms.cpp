#include "compiler/graph/passes/cancel_transforms.h"

#include <optional>

#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

using ops::Integers;

bool is_call_of(const Node& node, std::string_view op) {
  return node.kind == Node::Kind::kCall && node.op->name == op;
}

// The node that `value` is, behind changes between [n, c, 1, 1] and [n, c].
Value without_rank_changes(const Graph& graph, Value value) {
  while (is_call_of(graph.node(value), "reshape")) {
    const Value before = graph.node(value).inputs[0];
    const Tensor::Shape &a = graph.type(before).shape, &b = graph.type(value).shape;
    const auto is_pixel = [](const Tensor::Shape& s) { return s.size() == 2 || (s.size() == 4 && s[2] * s[3] == 1); };
    if (!is_pixel(a) || !is_pixel(b) || a[0] != b[0] || a[1] != b[1]) return value;
    value = before;
  }
  return value;
}

Integers order_of(const Node& transpose) {
  Integers order = transpose.attributes.integers("order");
  const auto rank = static_cast<int64_t>(transpose.types[0].shape.size());
  for (int64_t d = rank; order.empty() && d-- > 0;) order.push_back(d);
  for (int64_t& axis : order) axis = axis < 0 ? axis + rank : axis;
  return order;
}

// A call that makes the same as node `n` from a value that is nearer to the beginning; of no operator: the value
// itself.
struct Shorter {
  Value value;
  bool is_reshape = false;
};

std::optional<Shorter> shorter(const Graph& graph, uint32_t n) {
  const Node& node = graph.nodes()[n];
  if (is_call_of(node, "pack_tiles")) {
    const Value before = without_rank_changes(graph, node.inputs[0]);
    if (!is_call_of(graph.node(before), "unpack_tiles")) return std::nullopt;
    const Value tiles = graph.node(before).inputs[0];
    if (graph.type(tiles) != node.types[0]) return std::nullopt;
    return Shorter{tiles};
  }
  if (is_call_of(node, "reshape")) {
    const Node& before = graph.node(node.inputs[0]);
    if (node.types[0] == graph.type(node.inputs[0])) return Shorter{node.inputs[0]};
    if (!is_call_of(before, "reshape")) return std::nullopt;
    return Shorter{before.inputs[0], node.types[0] != graph.type(before.inputs[0])};
  }
  if (is_call_of(node, "transpose") && is_call_of(graph.node(node.inputs[0]), "transpose")) {
    const Node& before = graph.node(node.inputs[0]);
    const Integers first = order_of(before), second = order_of(node);
    for (size_t d = 0; d < first.size(); ++d) {
      if (first[static_cast<size_t>(second[d])] != static_cast<int64_t>(d)) return std::nullopt;
    }
    return Shorter{before.inputs[0]};
  }
  return std::nullopt;
}

}  // namespace

Graph cancel_transforms(Graph graph) {
  for (bool changes = true; changes;) {
    changes = false;
    Rewrite rewrite(graph);
    for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
      const auto found = shorter(graph, n);
      if (!found) {
        rewrite.copy(n);
        continue;
      }
      changes = true;
      Value value = rewrite.at(found->value);
      if (found->is_reshape) {
        const Node& node = graph.nodes()[n];
        value = rewrite.graph().call("reshape", {value}, {{"shape", node.types[0].shape}}, node.name);
      }
      rewrite.replace(n, {value});
    }
    graph = std::move(rewrite).finish();
  }
  return graph;
}

}  // namespace vantage::graph
