#include "compiler/graph/graph.h"

#include <fmt/format.h>

#include <set>

#include <algorithm>

#include "base/error.h"
#include "compiler/graph/text.h"

namespace vantage::graph {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void require_name(std::string_view name) {
  if (!is_name(name)) fail("\"{}\" is no name; expected letters, digits and _./- behind a letter", name);
}

}  // namespace

bool is_name(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '/' || c == '-';
  });
}

ops::OperatorCall Node::operator_call(const std::vector<Node>& nodes) const {
  ops::OperatorCall call{{}, attributes};
  for (const Value& input : inputs) call.inputs.push_back(nodes[input.node].types[input.output]);
  return call;
}

Graph::Graph(std::string name) : name_(std::move(name)) {
  require_name(name_);
}

std::string Graph::unique(std::string name) {
  const auto taken = names_.find(name);
  if (taken == names_.end()) return name;
  while (true) {
    std::string numbered = fmt::format("{}_{}", name, ++taken->second);
    if (names_.count(numbered) == 0) return numbered;
  }
}

Value Graph::append(Node node) {
  require_name(node.name);
  node.name = unique(std::move(node.name));
  names_.emplace(node.name, 0);
  nodes_.push_back(std::move(node));
  return {static_cast<uint32_t>(nodes_.size() - 1), 0};
}

Value Graph::input(std::string name, TensorType type) {
  for (const int64_t extent : type.shape) {
    if (extent < 1) fail("input {} is {}, expected sizes of at least 1", name, describe(type));
  }
  return append({Node::Kind::kInput, std::move(name), {std::move(type)}});
}

Value Graph::constant(Tensor tensor, std::string name) {
  return constant(std::make_shared<const Tensor>(std::move(tensor)), std::move(name));
}

Value Graph::constant(std::shared_ptr<const Tensor> tensor, std::string name) {
  VANTAGE_CHECK(tensor != nullptr && tensor->is_dense());
  return append({Node::Kind::kConstant, std::move(name), {type_of(*tensor)}, std::move(tensor)});
}

Value Graph::call(std::string_view op, std::vector<Value> inputs, GivenAttributes attributes, std::string name) {
  const ops::Operator& known = ops::find_operator(op);
  ops::Attributes all;
  try {
    all = ops::Attributes(known.attributes, std::move(attributes));
  } catch (const Error& error) {
    fail("{}: {}", name.empty() ? known.name : name, error.what());
  }
  return call(known, std::move(inputs), std::move(all), std::move(name));
}

Value Graph::call(const ops::Operator& op, std::vector<Value> inputs, ops::Attributes attributes, std::string name) {
  if (name.empty()) name = op.name;
  for (const Value& input : inputs) {
    VANTAGE_CHECK(input.node < nodes_.size() && input.output < nodes_[input.node].types.size());
  }
  Node node{Node::Kind::kCall, std::move(name), {}};
  node.op = &op;
  node.attributes = std::move(attributes);
  node.inputs = std::move(inputs);
  try {
    node.types = ops::infer(op, node.operator_call(nodes_));
  } catch (const Error& error) {
    if (node.name == op.name) throw;
    fail("{}: {}", node.name, error.what());
  }
  return append(std::move(node));
}

Value Graph::call(std::shared_ptr<const Graph> function, std::vector<Value> inputs, std::string name) {
  if (name.empty()) name = function->name();
  const std::vector<uint32_t> wanted = function->inputs();
  if (inputs.size() != wanted.size()) {
    fail("{}: there are {} inputs, but {} has {}", name, inputs.size(), function->name(), wanted.size());
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Node& parameter = function->nodes()[wanted[i]];
    if (type(inputs[i]) == parameter.types[0]) continue;
    fail("{}: {} of {} is {}, not {}", name, parameter.name, function->name(), describe(parameter.types[0]),
         describe(type(inputs[i])));
  }
  for (const Node& node : function->nodes()) {
    if (node.kind == Node::Kind::kFunction) fail("{}: {} calls {} itself", name, function->name(), node.name);
    if (node.constant != nullptr && node.constant->size() > kMostPrinted) {
      fail("{}: {} has constant {} of {} elements; give it as an input", name, function->name(), node.name,
           node.constant->size());
    }
  }
  std::vector<TensorType> types;
  for (const Value& output : function->outputs()) types.push_back(function->type(output));
  Node node{Node::Kind::kFunction, std::move(name), std::move(types)};
  node.function = std::move(function);
  node.inputs = std::move(inputs);
  return append(std::move(node));
}

void Graph::set_device(std::string device) {
  if (!device.empty() && !is_name(device)) fail("'{}' is no name of a device", device);
  device_ = std::move(device);
}

void Graph::set_outputs(std::vector<Value> outputs) {
  if (outputs.empty()) fail("graph {} has no output; expected at least one", name_);
  for (const Value& output : outputs) {
    VANTAGE_CHECK(output.node < nodes_.size() && output.output < nodes_[output.node].types.size());
  }
  outputs_ = std::move(outputs);
  output_names_.clear();
}

void Graph::name_outputs(std::vector<std::string> names) {
  VANTAGE_CHECK(names.empty() || names.size() == outputs_.size());
  std::set<std::string_view> known;
  for (const std::string& name : names) {
    require_name(name);
    if (!known.insert(name).second) fail("two outputs are called {}; each needs a name of its own", name);
  }
  output_names_ = std::move(names);
}

std::vector<uint32_t> Graph::inputs() const {
  std::vector<uint32_t> all;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].kind == Node::Kind::kInput) all.push_back(n);
  }
  return all;
}

bool same_structure(const Graph& a, const Graph& b) {
  if (a.nodes().size() != b.nodes().size() || a.outputs() != b.outputs() || a.device() != b.device()) return false;
  return std::equal(a.nodes().begin(), a.nodes().end(), b.nodes().begin(), [](const Node& x, const Node& y) {
    const bool same_constant = x.constant == y.constant || (x.constant && y.constant && *x.constant == *y.constant);
    return x.kind == y.kind && x.types == y.types && same_constant && x.op == y.op && x.attributes == y.attributes &&
           x.inputs == y.inputs && (x.function == nullptr) == (y.function == nullptr) &&
           (x.function == y.function || same_structure(*x.function, *y.function));
  });
}

}  // namespace vantage::graph
