#include "compiler/graph/lower.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/te/te.h"

namespace vantage::graph {

namespace {

te::Expr literal(const Tensor& tensor, int64_t element) {
  return tensor.dtype().is_float() ? ir::make_float(tensor.dtype(), tensor.number(element))
                                   : ir::make_int(tensor.dtype(), tensor.integer(element));
}

std::vector<te::Expr> sizes(const TensorType& type) {
  return {type.shape.begin(), type.shape.end()};
}

// Its few elements, chosen by their number.
te::Tensor constant(const Tensor& tensor, const std::string& name) {
  return te::compute(
      sizes(type_of(tensor)),
      [&](const std::vector<te::Var>& axes) {
        te::Expr number = ir::make_int(ir::kIndex, 0);
        for (size_t d = 0; d < axes.size(); ++d) number = number * tensor.extent(d) + axes[d];
        te::Expr value = literal(tensor, 0);
        for (int64_t e = 1; e < tensor.size(); ++e) value = te::if_then_else(number == e, literal(tensor, e), value);
        return te::Body(value);
      },
      name);
}

// What is both an input and an output, or two outputs.
te::Tensor copy(const te::Tensor& tensor) {
  return te::compute(
      tensor.shape(),
      [&](const std::vector<te::Var>& axes) {
        return te::Body(tensor.at(std::vector<te::Expr>(axes.begin(), axes.end())));
      },
      "copy");
}

}  // namespace

NodeFunction function_of(const Graph& graph, uint32_t node) {
  const Node& called = graph.nodes()[node];
  if (called.kind == Node::Kind::kFunction) return {called.function, called.inputs};
  VANTAGE_CHECK(called.kind == Node::Kind::kCall);
  Graph function(called.op->name);
  std::vector<Value> arguments, inputs;
  for (const Value& input : called.inputs) {
    const auto known = std::find(arguments.begin(), arguments.end(), input);
    if (known == arguments.end()) {
      function.input("p" + std::to_string(arguments.size()), graph.type(input));
      inputs.push_back({static_cast<uint32_t>(arguments.size()), 0});
      arguments.push_back(input);
    } else {
      inputs.push_back({static_cast<uint32_t>(known - arguments.begin()), 0});
    }
  }
  const Value made = function.call(*called.op, std::move(inputs), called.attributes, called.op->name);
  std::vector<Value> outputs;
  for (uint32_t i = 0; i < called.types.size(); ++i) outputs.push_back({made.node, i});
  function.set_outputs(std::move(outputs));
  return {std::make_shared<const Graph>(std::move(function)), std::move(arguments)};
}

ir::PrimFunc to_prim_func(const Graph& function) {
  std::vector<std::vector<te::Tensor>> made;
  std::vector<std::variant<te::Tensor, te::Var>> parameters;
  std::string rule;
  for (const Node& node : function.nodes()) {
    std::vector<te::Tensor> outputs;
    if (node.kind == Node::Kind::kInput) {
      outputs = {te::placeholder(sizes(node.types[0]), node.types[0].dtype, "p" + std::to_string(parameters.size()))};
      parameters.emplace_back(outputs[0]);
    } else if (node.kind == Node::Kind::kConstant) {
      outputs = {constant(*node.constant, "constant")};
    } else {
      VANTAGE_CHECK(node.kind == Node::Kind::kCall);
      std::vector<te::Tensor> inputs;
      for (const Value& input : node.inputs) inputs.push_back(made[input.node][input.output]);
      outputs = node.op->define(node.operator_call(function.nodes()), inputs);
      if (!node.op->schedule_rule.empty()) rule = node.op->schedule_rule;
    }
    made.push_back(std::move(outputs));
  }
  std::vector<Value> given;
  for (const Value& output : function.outputs()) {
    te::Tensor tensor = made[output.node][output.output];
    const bool is_given = std::find(given.begin(), given.end(), output) != given.end();
    if (is_given || function.node(output).kind == Node::Kind::kInput) tensor = copy(tensor);
    given.push_back(output);
    parameters.emplace_back(tensor);
  }
  ir::PrimFunc result = te::create_prim_func(parameters, "main");
  if (!rule.empty()) result.annotations[std::string(ops::kScheduleRule)] = ir::make_string(rule);
  return result;
}

}  // namespace vantage::graph
