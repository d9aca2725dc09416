#include "compiler/network/pixel_convolutions.h"

#include <algorithm>

#include "compiler/network/operand_layouts.h"
#include "compiler/ops/conv2d/pixel_conv2d.h"

namespace vantage::network {

namespace {

using graph::Graph;
using graph::Node;
using graph::Rewrite;
using graph::Value;

graph::GivenAttributes pixel_attributes(const Node& conv2d) {
  const Tensor::Shape& y = conv2d.types[0].shape;
  const auto& of = conv2d.attributes;
  return {{"strides", of.integers("strides")},
          {"padding", of.integers("padding")},
          {"dilation", of.integers("dilation")},
          {"pixels", ops::pixels_of_tile(y[0] * y[2] * y[3])},
          {"dtype", of.type("dtype")}};
}

// The function's first convolution of kernels that are constants of the network and that nothing else reads.
std::optional<OperandLayout> find_convolution(const Graph& graph, const graph::NodeFunction& function) {
  const std::vector<uint32_t> inputs = function.graph->inputs(), uses = graph::uses(*function.graph);
  for (uint32_t c = 0; c < function.graph->nodes().size(); ++c) {
    const Node& call = function.graph->nodes()[c];
    if (!call.is_call("conv2d") || call.attributes.integer("groups") != 1) continue;
    const auto input = std::ranges::find(inputs, call.inputs[1].node);
    if (input == inputs.end() || uses[*input] != 1) continue;
    const Value kernels = function.arguments[static_cast<size_t>(input - inputs.begin())];
    if (graph.node(kernels).constant == nullptr) continue;
    const Tensor::Shape s = graph.node(kernels).types[0].shape;
    return OperandLayout{
        .call = c,
        .operand = *input,
        .type = {graph.type(kernels).dtype, {s[2], s[3], s[1], s[0]}},
        .key = "by_outputs",
        .lay_out =
            [&graph](Rewrite& rewrite, Value operand) {
              const Node& node = graph.node(operand);
              return rewrite.graph().constant(node.constant->permuted({2, 3, 1, 0}), node.name + ".by_outputs");
            },
        .make_call =
            [](Graph& to, const Node& conv2d, const std::vector<Value>& operands) {
              return to.call("pixel_conv2d", operands, pixel_attributes(conv2d), conv2d.name);
            }};
  }
  return std::nullopt;
}

}  // namespace

Graph pixel_convolutions(const Graph& graph) {
  return lay_operands_out(graph,
                          [&](const graph::NodeFunction& function) { return find_convolution(graph, function); });
}

}  // namespace vantage::network
