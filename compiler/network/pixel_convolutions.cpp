#include "compiler/network/pixel_convolutions.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/graph/lower.h"
#include "compiler/graph/rewrite.h"
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

class PixelConvolutions {
 public:
  explicit PixelConvolutions(const Graph& graph) : graph_(graph), rewrite_(graph) {}

  Graph run() && {
    std::vector<uint32_t> uses = graph::uses(graph_);
    std::map<uint32_t, Found> found;
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      auto convolution = find(n);
      if (!convolution) continue;
      --uses[convolution->kernels().node];
      found.emplace(n, std::move(*convolution));
    }
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const auto convolution = found.find(n);
      if (convolution != found.end()) {
        replace(n, convolution->second);
      } else if (graph_.nodes()[n].constant == nullptr || uses[n] > 0) {  // large ones are not kept twice
        rewrite_.copy(n);
      }
    }
    return std::move(rewrite_).finish();
  }

 private:
  // A node whose function has a convolution of constant kernels.
  struct Found {
    graph::NodeFunction function;
    uint32_t call;  // of the function's nodes
    size_t input;   // of the function: the kernels
    Value kernels() const { return function.arguments[input]; }
  };

  std::optional<Found> find(uint32_t n) const {
    const Node& node = graph_.nodes()[n];
    const bool is_convolution = node.kind == Node::Kind::kCall && node.is_call("conv2d");
    const bool is_function = node.kind == Node::Kind::kFunction && node.function->device().empty();
    if (!is_convolution && !is_function) return std::nullopt;
    graph::NodeFunction function = graph::function_of(graph_, n);
    const std::vector<uint32_t> inputs = function.graph->inputs(), uses = graph::uses(*function.graph);
    for (uint32_t c = 0; c < function.graph->nodes().size(); ++c) {
      const Node& call = function.graph->nodes()[c];
      if (!call.is_call("conv2d") || call.attributes.integer("groups") != 1) continue;
      const auto input = std::ranges::find(inputs, call.inputs[1].node);
      if (input == inputs.end() || uses[*input] != 1) continue;
      const auto number = static_cast<size_t>(input - inputs.begin());
      if (graph_.node(function.arguments[number]).constant == nullptr) continue;
      return Found{std::move(function), c, number};
    }
    return std::nullopt;
  }

  void replace(uint32_t n, const Found& found) {
    std::vector<Value> arguments;
    for (size_t i = 0; i < found.function.arguments.size(); ++i) {
      const Value argument = found.function.arguments[i];
      arguments.push_back(i == found.input ? laid_out(argument) : rewrite_.at(argument));
    }
    auto function = std::make_shared<const Graph>(by_pixels(*found.function.graph, found));
    const Value call = rewrite_.graph().call(std::move(function), std::move(arguments), graph_.nodes()[n].name);
    std::vector<Value> outputs;
    for (uint32_t i = 0; i < graph_.nodes()[n].types.size(); ++i) outputs.push_back({call.node, i});
    rewrite_.replace(n, std::move(outputs));
  }

  Value laid_out(Value kernels) {
    const auto [entry, is_new] = laid_out_.emplace(kernels, Value{});
    if (is_new) {
      const Node& node = graph_.node(kernels);
      entry->second = rewrite_.graph().constant(node.constant->permuted({2, 3, 1, 0}), node.name + ".by_outputs");
    }
    return entry->second;
  }

  static Graph by_pixels(const Graph& function, const Found& found) {
    Graph to(function.name());
    const uint32_t kernels = function.inputs()[found.input];
    std::map<Value, Value> made;
    for (uint32_t n = 0; n < function.nodes().size(); ++n) {
      const Node& node = function.nodes()[n];
      std::vector<Value> inputs;
      for (const Value& of_node : node.inputs) inputs.push_back(made.at(of_node));
      Value value;
      if (n == kernels) {
        const Tensor::Shape& s = node.types[0].shape;
        value = to.input(node.name, {node.types[0].dtype, {s[2], s[3], s[1], s[0]}});
      } else if (n == found.call) {
        value = to.call("pixel_conv2d", std::move(inputs), pixel_attributes(node), node.name);
      } else if (node.kind == Node::Kind::kInput) {
        value = to.input(node.name, node.types[0]);
      } else if (node.kind == Node::Kind::kConstant) {
        value = to.constant(node.constant, node.name);
      } else {
        value = to.call(*node.op, std::move(inputs), node.attributes, node.name);
      }
      for (uint32_t i = 0; i < node.types.size(); ++i) made[{n, i}] = {value.node, i};
    }
    std::vector<Value> outputs;
    for (const Value& output : function.outputs()) outputs.push_back(made.at(output));
    to.set_outputs(std::move(outputs));
    return to;
  }

  const Graph& graph_;
  Rewrite rewrite_;
  std::map<Value, Value> laid_out_;
};

}  // namespace

Graph pixel_convolutions(const Graph& graph) {
  return PixelConvolutions(graph).run();
}

}  // namespace vantage::network
