#include "compiler/graph/passes/eliminate_common.h"

#include <map>
#include <tuple>

#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

// A hash by which equal constants meet; whether they are equal their bytes say.
size_t hash_of(const Tensor& tensor) {
  const std::span<const std::byte> bytes = tensor.bytes();
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

Graph eliminate_common_subexpressions(Graph graph) {
  const std::vector<Node>& nodes = graph.nodes();
  Rewrite rewrite(graph);
  using Call = std::tuple<const ops::Operator*, std::vector<Value>>;
  std::multimap<Call, uint32_t> calls;  // to the first node of the kind, in the old graph
  std::multimap<size_t, uint32_t> constants;
  const auto take_over = [&](uint32_t n, uint32_t known) {
    std::vector<Value> outputs;
    for (uint32_t output = 0; output < nodes[n].types.size(); ++output) outputs.push_back(rewrite.at({known, output}));
    rewrite.replace(n, std::move(outputs));
  };
  // Whether a node of the list is the same; else notes this one.
  const auto known = [&](auto& list, const auto& key, uint32_t n, const auto& is_same) {
    const auto [begin, end] = list.equal_range(key);
    for (auto it = begin; it != end; ++it) {
      if (!is_same(nodes[it->second], nodes[n])) continue;
      take_over(n, it->second);
      return true;
    }
    list.emplace(key, n);
    return false;
  };
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    bool is_known = false;
    if (node.kind == Node::Kind::kCall) {
      is_known = known(calls, Call(node.op, rewrite.at(node.inputs)), n,
                       [](const Node& a, const Node& b) { return a.attributes == b.attributes; });
    } else if (node.kind == Node::Kind::kConstant) {
      is_known = known(constants, hash_of(*node.constant), n,
                       [](const Node& a, const Node& b) { return *a.constant == *b.constant; });
    }
    if (!is_known) rewrite.copy(n);
  }
  return std::move(rewrite).finish();
}

}  // namespace vantage::graph
