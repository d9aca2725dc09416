#include "compiler/graph/quantize/groups.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "compiler/graph/quantize/integer_functions.h"
#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

bool is_one_of(std::span<const std::string_view> ops, const Node& node) {
  return node.op != nullptr && std::ranges::find(ops, node.op->name) != ops.end();
}

// By weights that are known before the network runs.
bool is_product_of_weights(const Graph& graph, const Node& node, const QuantizeOptions& options) {
  if (!node.is_call("conv2d") && !node.is_call("dense")) return false;
  const bool is_known =
      is_weight(graph, node.inputs[1]) && (node.inputs.size() < 3 || graph.node(node.inputs[2]).constant != nullptr);
  const bool is_float32 = graph.type(node.inputs[0]).dtype == kFloat32 && node.types[0].dtype == kFloat32;
  return is_known && is_float32 && options.floats.count(node.name) == 0;
}

class Grouping {
 public:
  Grouping(const Graph& graph, const QuantizeOptions& options)
      : graph_(graph), uses_(uses(graph)), users_(graph, options), user_(graph.nodes().size(), UINT32_MAX) {
    const std::vector<Node>& nodes = graph.nodes();
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      for (const Value& input : nodes[n].inputs) user_[input.node] = n;
      if (is_product_of_weights(graph, nodes[n], options)) groups_[n] = {{n}};
    }
    for (uint32_t n = 0; n < nodes.size() && options.joins_additions; ++n) {
      if (nodes[n].is_call("add")) join_addition(n);
    }
    for (auto& [product, group] : groups_) join_limits(group);
  }

  std::map<uint32_t, Group> by_last() && {
    std::map<uint32_t, Group> all;
    for (auto& [product, group] : groups_) all[group.members.back()] = std::move(group);
    return all;
  }

 private:
  // Products that a result takes.
  int64_t depth(uint32_t product) const {
    const TensorType& weight = graph_.type(graph_.nodes()[product].inputs[1]);
    return weight.size() / weight.shape[0];
  }

  // The addition of two values of one type joins the deeper of its products, which has the more time for it.
  void join_addition(uint32_t add) {
    const Node& node = graph_.nodes()[add];
    if (graph_.type(node.inputs[0]) != graph_.type(node.inputs[1]) || node.inputs[0] == node.inputs[1]) return;
    if (!users_.feeds(add)) return;
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
      if (node.is_call("relu")) {
        group.min = std::max(group.min, 0.0);
      } else if (node.is_call("clip") && node.attributes.number("min") <= group.max) {
        group.min = std::max(group.min, node.attributes.number("min"));
        group.max = std::min(group.max, node.attributes.number("max"));
      } else {
        return;
      }
      group.members.push_back(next);
    }
  }

  const Graph& graph_;
  std::vector<uint32_t> uses_;
  IntegerUsers users_;
  std::vector<uint32_t> user_;        // the last one
  std::map<uint32_t, Group> groups_;  // by product
};

}  // namespace

bool makes_integers(const Node& node) {
  static constexpr std::string_view kMake[] = {"matmul", "max_pool2d", "global_max_pool2d", "avg_pool2d",
                                               "global_avg_pool2d"};
  return is_one_of(kMake, node);
}

IntegerUsers::IntegerUsers(const Graph& graph, const QuantizeOptions& options) : feeds_(graph.nodes().size()) {
  static constexpr std::string_view kPass[] = {"relu", "clip", "reshape", "transpose", "slice", "add"};
  // Users are behind what they use.
  for (uint32_t n = static_cast<uint32_t>(graph.nodes().size()); n-- > 0;) {
    const Node& node = graph.nodes()[n];
    const bool is_product = is_product_of_weights(graph, node, options);
    const bool is_function = options.integer_functions && node.op != nullptr && has_integer_function(node.op->name);
    const bool takes = makes_integers(node) || (feeds_[n] && (is_function || is_one_of(kPass, node)));
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (takes || (is_product && i == 0)) feeds_[node.inputs[i].node] = true;
    }
  }
}

std::map<uint32_t, Group> groups_of(const Graph& graph, const QuantizeOptions& options) {
  return Grouping(graph, options).by_last();
}

}  // namespace vantage::graph
