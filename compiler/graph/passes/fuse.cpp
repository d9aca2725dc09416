#include "compiler/graph/passes/fuse.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

using ops::Pattern;

bool is_pointwise(Pattern pattern) {
  return pattern == Pattern::kElementwise || pattern == Pattern::kBroadcast;
}
// Products and folds: of these a group has one at most.
bool is_heavy(Pattern pattern) {
  return pattern == Pattern::kReduction || pattern == Pattern::kAnchor;
}

class Fuser {
 public:
  Fuser(const Graph& graph, Fusion level) : graph_(graph), level_(level), group_(graph.nodes().size()) {
    users_.resize(graph.nodes().size());
    const std::vector<Node>& nodes = graph.nodes();
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      group_[n] = n;
      for (const Value& input : nodes[n].inputs) users_[input.node].insert(n);
    }
    // Of what the graph gives out, somebody else is a user.
    for (const Value& output : graph.outputs()) users_[output.node].insert(UINT32_MAX);
  }

  Graph run() && {
    const std::vector<Node>& nodes = graph_.nodes();
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].kind == Node::Kind::kCall) grow(n);
    }
    Rewrite rewrite(graph_);
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      const std::vector<uint32_t> all = members(n);
      if (group_[n] != n) continue;  // computed with what it was for
      if (all.size() == 1) {
        rewrite.copy(n);
      } else {
        call_function(all, rewrite);
      }
    }
    return std::move(rewrite).finish();
  }

 private:
  Pattern pattern(uint32_t n) const { return graph_.nodes()[n].op->pattern; }
  std::vector<uint32_t> members(uint32_t root) const {
    std::vector<uint32_t> all;
    for (uint32_t n = 0; n <= root; ++n) {
      if (group_[n] == root) all.push_back(n);
    }
    return all;
  }

  // Takes groups whose last node nobody outside of the group of `root` uses into that one.
  void grow(uint32_t root) {
    for (bool grows = true; grows;) {
      grows = false;
      for (const uint32_t member : members(root)) {
        for (const Value& input : graph_.nodes()[member].inputs) {
          const uint32_t before = input.node;
          if (graph_.nodes()[before].kind != Node::Kind::kCall || group_[before] != before || before == root) continue;
          const bool is_ours = std::all_of(users_[before].begin(), users_[before].end(),
                                           [&](uint32_t user) { return user != UINT32_MAX && group_[user] == root; });
          // The operands of a product are read many times: what makes them is computed before.
          if (!is_ours || pattern(member) == Pattern::kAnchor || !may_join(members(before), root)) continue;
          for (uint32_t& group : group_) group = group == before ? root : group;
          grows = true;
        }
      }
    }
  }

  // Whether what `root` computes may be computed with a group before it.
  bool may_join(const std::vector<uint32_t>& before, uint32_t root) const {
    if (level_ == Fusion::kNone || graph_.nodes()[root].types.size() != 1) return false;
    const std::vector<uint32_t> own = members(root);
    const auto heavy = [&](uint32_t n) { return is_heavy(pattern(n)); };
    const auto opaque = [&](uint32_t n) {
      return pattern(n) == Pattern::kOpaque || graph_.nodes()[n].types.size() != 1;
    };
    if (std::any_of(before.begin(), before.end(), opaque) || opaque(root)) return false;
    const auto count =
        std::count_if(before.begin(), before.end(), heavy) + std::count_if(own.begin(), own.end(), heavy);
    if (count > 1) return false;
    const bool has_heavy = std::any_of(before.begin(), before.end(), heavy);
    const auto moves = [&](uint32_t n) { return pattern(n) == Pattern::kInjective; };
    if (level_ == Fusion::kElementwise &&
        (std::any_of(before.begin(), before.end(), moves) ||
         !std::all_of(own.begin(), own.end(), [&](uint32_t n) { return is_pointwise(pattern(n)); }))) {
      return false;
    }
    if (!has_heavy) return true;
    // Behind a product or a fold everything is one element for one of its own.
    const TensorType& sums = graph_.nodes()[before.back()].types[0];
    return std::all_of(own.begin(), own.end(), [&](uint32_t n) {
      return is_pointwise(pattern(n)) && graph_.nodes()[n].types[0].shape == sums.shape;
    });
  }

  void call_function(const std::vector<uint32_t>& all, Rewrite& rewrite) const {
    std::string name;
    for (const uint32_t n : all) name += (name.empty() ? "" : "_") + graph_.nodes()[n].op->name;
    Graph function(name);
    std::map<Value, Value> inside;
    std::vector<Value> arguments;
    const auto is_member = [&](const Value& value) {
      return std::find(all.begin(), all.end(), value.node) != all.end();
    };
    // Inputs first, as they are needed.
    for (const uint32_t n : all) {
      for (const Value& input : graph_.nodes()[n].inputs) {
        if (is_member(input) || inside.count(input) != 0) continue;
        inside[input] = function.input("p" + std::to_string(arguments.size()), graph_.type(input));
        arguments.push_back(rewrite.at(input));
      }
    }
    for (const uint32_t n : all) {
      const Node& node = graph_.nodes()[n];
      std::vector<Value> inputs;
      for (const Value& input : node.inputs) inputs.push_back(inside.at(input));
      inside[{n, 0}] = function.call(*node.op, std::move(inputs), node.attributes, node.name);
    }
    function.set_outputs({inside.at({all.back(), 0})});
    rewrite.replace(all.back(), {rewrite.graph().call(std::make_shared<const Graph>(std::move(function)),
                                                      std::move(arguments), graph_.nodes()[all.back()].name)});
  }

  const Graph& graph_;
  const Fusion level_;
  std::vector<uint32_t> group_;            // by node: the last node of its group
  std::vector<std::set<uint32_t>> users_;  // by node; UINT32_MAX: whoever takes the graph's outputs
};

}  // namespace

Graph fuse_operators(Graph graph, Fusion level) {
  return Fuser(graph, level).run();
}

}  // namespace vantage::graph
