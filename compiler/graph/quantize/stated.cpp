#include "compiler/graph/quantize/stated.h"

#include <algorithm>
#include <cmath>

namespace vantage::graph {

std::optional<double> number_of(const Graph& graph, Value value) {
  const Tensor* const constant = graph.node(value).constant.get();
  if (constant == nullptr || constant->size() != 1) return std::nullopt;
  return constant->number(0);
}

std::optional<StatedRounding> find_rounding(const Graph& graph, uint32_t n) {
  const Node& cast = graph.nodes()[n];
  if (!cast.is_call("cast") || (cast.types[0].dtype != kInt8 && cast.types[0].dtype != kUInt8)) return std::nullopt;
  const Node& clip = graph.node(cast.inputs[0]);
  if (!clip.is_call("clip") || clip.types[0].dtype != kFloat32) return std::nullopt;
  StatedRounding found{.floats = clip.inputs[0], .dtype = cast.types[0].dtype};
  const double least = clip.attributes.number("min"), greatest = clip.attributes.number("max");
  if (!(least >= static_cast<double>(found.dtype.min_int()) && least <= greatest &&
        greatest <= static_cast<double>(found.dtype.max_int()))) {
    return std::nullopt;
  }
  found.least = std::llround(std::ceil(least));
  found.greatest = std::llround(std::floor(greatest));
  const Node* node = &graph.node(found.floats);
  if (node->is_call("add")) {
    const auto zero = number_of(graph, node->inputs[1]);
    if (!zero || *zero != std::round(*zero) || std::abs(*zero) > 255) return std::nullopt;
    found.zero = std::llround(*zero);
    found.floats = node->inputs[0];
    node = &graph.node(found.floats);
  }
  if (!node->is_call("round")) return std::nullopt;
  found.floats = node->inputs[0];
  node = &graph.node(found.floats);
  if (node->is_call("divide")) {
    const auto scale = number_of(graph, node->inputs[1]);
    if (!scale || !(*scale > 0 && std::isfinite(*scale))) return std::nullopt;
    found.scale = *scale;
    found.floats = node->inputs[0];
  }
  // Of a larger one the scale repeats.
  if (graph.type(found.floats).shape != cast.types[0].shape || graph.type(found.floats).dtype != kFloat32) {
    return std::nullopt;
  }
  return found;
}

bool states_quantization(const Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [&](const Node& node) {
    if (!node.is_call("cast") || graph.node(node.inputs[0]).constant != nullptr) return false;
    const auto found = find_rounding(graph, node.inputs[0].node);
    return found && graph.node(found->floats).constant == nullptr;
  });
}

}  // namespace vantage::graph
