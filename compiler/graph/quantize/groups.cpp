#include "compiler/graph/quantize/groups.h"

#include <algorithm>

#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

bool is_call(const Node& node, std::string_view op) {
  return node.kind == Node::Kind::kCall && node.op->name == op;
}

class Grouping {
 public:
  Grouping(const Graph& graph, bool joins_additions)
      : graph_(graph), uses_(uses(graph)), user_(graph.nodes().size(), UINT32_MAX) {
    const std::vector<Node>& nodes = graph.nodes();
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      for (const Value& input : nodes[n].inputs) user_[input.node] = n;
      if (is_product(n)) groups_[n] = {{n}};
    }
    for (uint32_t n = 0; n < nodes.size() && joins_additions; ++n) {
      if (is_call(nodes[n], "add")) join_addition(n);
    }
    for (auto& [product, group] : groups_) join_limits(group);
  }

  std::map<uint32_t, Group> by_last() && {
    std::map<uint32_t, Group> all;
    for (auto& [product, group] : groups_) all[group.members.back()] = std::move(group);
    return all;
  }

 private:
  bool is_product(uint32_t n) const {
    const Node& node = graph_.nodes()[n];
    if (!is_call(node, "conv2d") && !is_call(node, "dense")) return false;
    const bool is_constant = std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                                         [&](Value v) { return graph_.node(v).constant != nullptr; });
    return is_constant && node.types[0].dtype == kFloat32;
  }
  // Products that a result takes.
  int64_t depth(uint32_t product) const {
    const TensorType& weight = graph_.type(graph_.nodes()[product].inputs[1]);
    return weight.size() / weight.shape[0];
  }

  // The addition of two values of one type joins the deeper of its products, which has the more time for it.
  void join_addition(uint32_t add) {
    const Node& node = graph_.nodes()[add];
    if (graph_.type(node.inputs[0]) != graph_.type(node.inputs[1]) || node.inputs[0] == node.inputs[1]) return;
    Group* best = nullptr;
    Value other;
    for (size_t side = 0; side < 2; ++side) {
      const auto group = groups_.find(node.inputs[side].node);
      if (group == groups_.end() || uses_[node.inputs[side].node] != 1) continue;
      if (graph_.node(node.inputs[1 - side]).constant != nullptr) continue;
      if (best != nullptr && depth(group->first) <= depth(best->members.front())) continue;
      best = &group->second;
      other = node.inputs[1 - side];
    }
    if (best == nullptr) return;
    best->addend = other;
    best->members.push_back(add);
  }

  void join_limits(Group& group) {
    while (uses_[group.members.back()] == 1 && user_[group.members.back()] != UINT32_MAX) {
      const uint32_t next = user_[group.members.back()];
      const Node& node = graph_.nodes()[next];
      if (is_call(node, "relu")) {
        group.min = std::max(group.min, 0.0);
      } else if (is_call(node, "clip") && node.attributes.number("min") <= group.max) {
        group.min = std::max(group.min, node.attributes.number("min"));
        group.max = std::min(group.max, node.attributes.number("max"));
      } else {
        return;
      }
      group.members.push_back(next);
    }
  }

  const Graph& graph_;
  std::vector<uint32_t> uses_, user_;  // user: the last one
  std::map<uint32_t, Group> groups_;   // by product
};

}  // namespace

std::map<uint32_t, Group> groups_of(const Graph& graph, bool joins_additions) {
  return Grouping(graph, joins_additions).by_last();
}

}  // namespace vantage::graph
