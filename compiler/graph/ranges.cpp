#include "compiler/graph/ranges.h"

#include <algorithm>
#include <string_view>

namespace vantage::graph {

int64_t least_element(const Graph& graph, Value value, const std::vector<int64_t>& inputs) {
  const Node& node = graph.node(value);
  const int64_t least = graph.type(value).dtype.min_int();
  const auto of = [&](size_t input) { return least_element(graph, node.inputs[input], inputs); };
  if (node.kind == Node::Kind::kInput && !inputs.empty()) {
    const std::vector<uint32_t> all = graph.inputs();
    return inputs[static_cast<size_t>(std::find(all.begin(), all.end(), value.node) - all.begin())];
  }
  if (node.kind == Node::Kind::kFunction) {
    std::vector<int64_t> given;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const bool is_int = graph.type(node.inputs[i]).dtype.is_int();
      given.push_back(is_int ? of(i) : INT64_MIN);
    }
    return least_element(*node.function, node.function->outputs()[value.output], given);
  }
  if (node.kind != Node::Kind::kCall) return least;
  const std::string_view op = node.op->name;
  if (op == "clip") return static_cast<int64_t>(node.attributes.number("min"));
  if (op == "relu") return 0;
  const bool is_from_int = !node.inputs.empty() && graph.type(node.inputs[0]).dtype.is_int();
  if (!is_from_int) return least;
  if (op == "cast") {
    // What wraps may become anything.
    const Node& before = graph.node(node.inputs[0]);
    const bool is_limited = before.kind == Node::Kind::kCall && before.op->name == "clip" &&
                            before.attributes.number("max") <= static_cast<double>(node.types[0].dtype.max_int()) &&
                            before.attributes.number("min") >= static_cast<double>(least);
    const bool is_wider = node.types[0].dtype.bits() >= graph.type(node.inputs[0]).dtype.bits();
    return is_limited || is_wider ? of(0) : least;
  }
  static constexpr std::string_view kMoves[] = {"reshape",      "transpose",  "slice",
                                                "unpack_tiles", "max_pool2d", "global_max_pool2d"};
  if (std::find(std::begin(kMoves), std::end(kMoves), op) != std::end(kMoves)) return of(0);
  // These add zeros.
  if (op == "pack_tiles" || op == "im2col") return std::min<int64_t>(0, of(0));
  return least;
}

}  // namespace vantage::graph
