#include "compiler/graph/quantize/stated.h"

#include <algorithm>
#include <cmath>

#include "compiler/graph/quantize/weights.h"

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

namespace {

bool is_rounding(const Graph& graph, uint32_t node) {
  const auto found = find_rounding(graph, node);
  return found && graph.node(found->floats).constant == nullptr;
}

// Whether floats are made of integers of 8 bits that come from outside or are computed.
bool is_of_integers(const Graph& graph, const Node& node) {
  if (!node.is_call("cast")) return false;
  const DType from = graph.type(node.inputs[0]).dtype, to = node.types[0].dtype;
  const bool widens = to == kFloat32 || to == kInt32;
  return (from == kInt8 || from == kUInt8) && widens && graph.node(node.inputs[0]).constant == nullptr;
}

bool has_float_weights(const Graph& graph, const Node& node) {
  if (!node.is_call("conv2d") && !node.is_call("dense")) return false;
  return graph.type(node.inputs[1]).dtype.is_float() && !is_dequantized(graph, node.inputs[1]);
}

}  // namespace

bool states_quantization(const Graph& graph) {
  const std::vector<Node>& nodes = graph.nodes();
  const bool goes_on = std::ranges::any_of(
      nodes, [&](const Node& node) { return node.is_call("cast") && is_rounding(graph, node.inputs[0].node); });
  if (goes_on) return true;
  // A single layer, from integers to integers: not a network of floats that takes bytes and makes bytes.
  bool rounds = false;
  for (uint32_t n = 0; n < nodes.size(); ++n) rounds = rounds || is_rounding(graph, n);
  return rounds && std::ranges::any_of(nodes, [&](const Node& node) { return is_of_integers(graph, node); }) &&
         std::ranges::none_of(nodes, [&](const Node& node) { return has_float_weights(graph, node); });
}

}  // namespace vantage::graph
