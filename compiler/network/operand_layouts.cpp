#include "compiler/network/operand_layouts.h"

#include <algorithm>
#include <map>

#include "base/error.h"

namespace vantage::network {

namespace {

using graph::Graph;
using graph::Node;
using graph::Rewrite;
using graph::Value;

class OperandLayouts {
 public:
  OperandLayouts(const Graph& graph, const FindLayout& find) : graph_(graph), rewrite_(graph) {
    uses_ = graph::uses(graph);
    for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
      const Node& node = graph.nodes()[n];
      const bool is_call = node.kind == Node::Kind::kCall && node.op->pattern == ops::Pattern::kAnchor;
      const bool is_function = node.kind == Node::Kind::kFunction && node.function->device().empty();
      if (!is_call && !is_function) continue;
      graph::NodeFunction function = graph::function_of(graph, n);
      auto layout = find(function);
      if (!layout) continue;
      const std::vector<uint32_t> inputs = function.graph->inputs();
      const auto input = static_cast<size_t>(std::ranges::find(inputs, layout->operand) - inputs.begin());
      VANTAGE_CHECK(input < inputs.size());
      --uses_[function.arguments[input].node];
      found_.emplace(n, Found{std::move(function), input, std::move(*layout)});
    }
  }

  Graph run() && {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const auto found = found_.find(n);
      if (found != found_.end()) {
        replace(n, found->second);
      } else if (graph_.nodes()[n].constant == nullptr || uses_[n] > 0) {  // large ones are not kept twice
        rewrite_.copy(n);
      }
    }
    return std::move(rewrite_).finish();
  }

 private:
  struct Found {
    graph::NodeFunction function;
    size_t input;  // of the function: the operand
    OperandLayout layout;
  };

  void replace(uint32_t n, const Found& found) {
    std::vector<Value> arguments;
    for (size_t i = 0; i < found.function.arguments.size(); ++i) {
      const Value argument = found.function.arguments[i];
      arguments.push_back(i == found.input ? laid_out(argument, found.layout) : rewrite_.at(argument));
    }
    auto function = std::make_shared<const Graph>(changed(*found.function.graph, found.layout));
    const Value call = rewrite_.graph().call(std::move(function), std::move(arguments), graph_.nodes()[n].name);
    std::vector<Value> outputs;
    for (uint32_t i = 0; i < graph_.nodes()[n].types.size(); ++i) outputs.push_back({call.node, i});
    rewrite_.replace(n, std::move(outputs));
  }

  Value laid_out(Value operand, const OperandLayout& layout) {
    const auto [entry, is_new] = laid_out_.emplace(std::pair(operand, layout.key), Value{});
    if (is_new) entry->second = layout.lay_out(rewrite_, operand);
    return entry->second;
  }

  static Graph changed(const Graph& function, const OperandLayout& layout) {
    Graph to(function.name());
    std::map<Value, Value> made;
    for (uint32_t n = 0; n < function.nodes().size(); ++n) {
      const Node& node = function.nodes()[n];
      std::vector<Value> inputs;
      for (const Value& input : node.inputs) inputs.push_back(made.at(input));
      Value value;
      if (n == layout.operand) {
        value = to.input(node.name, layout.type);
      } else if (n == layout.call) {
        value = layout.make_call(to, node, inputs);
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
  std::vector<uint32_t> uses_;
  std::map<uint32_t, Found> found_;  // by node
  std::map<std::pair<Value, std::string>, Value> laid_out_;
};

}  // namespace

Graph lay_operands_out(const Graph& graph, const FindLayout& find) {
  return OperandLayouts(graph, find).run();
}

}  // namespace vantage::network
