#include "compiler/graph/passes/all_in_float32.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::graph {

namespace {

bool is_other_float(DType dtype) {
  return dtype.is_float() && dtype != kFloat32;
}

class Widener {
 public:
  explicit Widener(const Graph& graph) : graph_(graph), to_(graph.name()) {}

  Graph run() && {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) add(graph_.nodes()[n]);
    std::vector<Value> outputs;
    for (const Value& before : graph_.outputs()) {
      const Value now = at(before);
      const DType dtype = graph_.type(before).dtype;
      outputs.push_back(to_.type(now).dtype == dtype ? now : cast(now, dtype, graph_.node(before).name + ".as_before"));
    }
    to_.set_outputs(std::move(outputs));
    to_.name_outputs(graph_.output_names());
    to_.set_device(graph_.device());
    return std::move(to_);
  }

 private:
  Value at(Value before) const { return {now_.at(before.node).node, now_.at(before.node).output + before.output}; }
  Value cast(Value value, DType dtype, const std::string& name) {
    return to_.call("cast", {value}, {{"dtype", dtype}}, name);
  }

  void add(const Node& node) {
    switch (node.kind) {
      case Node::Kind::kInput: {
        const Value input = to_.input(node.name, node.types[0]);
        const bool is_other = is_other_float(node.types[0].dtype);
        now_.push_back(is_other ? cast(input, kFloat32, node.name + ".float32") : input);
        return;
      }
      case Node::Kind::kConstant: {
        const bool is_other = is_other_float(node.types[0].dtype);
        now_.push_back(is_other ? to_.constant(node.constant->converted(kFloat32), node.name)
                                : to_.constant(node.constant, node.name));
        return;
      }
      case Node::Kind::kCall: return call(node);
      case Node::Kind::kFunction: break;
    }
    VANTAGE_CHECK(false);
  }

  void call(const Node& node) {
    std::vector<Value> inputs;
    for (const Value& input : node.inputs) inputs.push_back(at(input));
    GivenAttributes given;
    for (const auto& [name, value] : node.attributes.all()) {
      const auto* dtype = std::get_if<DType>(&value);
      if (dtype == nullptr || !dtype->is_float()) {
        given.emplace_back(name, value);
      } else if (node.is_call("cast")) {
        given.emplace_back(name, kFloat32);
      }  // of products: sums of float32 are that without saying so
    }
    const bool is_idle =
        node.is_call("cast") && to_.type(inputs[0]).dtype == kFloat32 && node.types[0].dtype.is_float();
    now_.push_back(is_idle ? inputs[0] : to_.call(node.op->name, std::move(inputs), std::move(given), node.name));
  }

  const Graph& graph_;
  Graph to_;
  std::vector<Value> now_;  // the first output of each node
};

}  // namespace

Graph all_in_float32(Graph graph) {
  const auto is_function = [](const Node& node) { return node.kind == Node::Kind::kFunction; };
  const auto has_other = [](const Node& node) {
    return std::ranges::any_of(node.types, [](const TensorType& type) { return is_other_float(type.dtype); });
  };
  if (std::ranges::any_of(graph.nodes(), is_function) || std::ranges::none_of(graph.nodes(), has_other)) return graph;
  return Widener(graph).run();
}

}  // namespace vantage::graph
