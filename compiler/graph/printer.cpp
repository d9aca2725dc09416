#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/graph/text.h"

namespace vantage::graph {

namespace {

std::string to_text(const Graph& graph, Value value) {
  const Node& node = graph.node(value);
  return node.types.size() == 1 ? fmt::format("%{}", node.name) : fmt::format("%{}:{}", node.name, value.output);
}

std::string number(const Tensor& tensor, int64_t element) {
  if (!tensor.dtype().is_float()) return std::to_string(tensor.integer(element));
  const double value = tensor.number(element);
  // A narrow float's shortest text is that of the float, not of the double that is equal to it.
  return tensor.dtype().bits() == 32 ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
}

std::string to_text(const Tensor& tensor) {
  std::string text = describe(tensor);
  if (tensor.size() > kMostPrinted) return text;
  std::vector<std::string> elements;
  for (int64_t e = 0; e < tensor.size(); ++e) elements.push_back(number(tensor, e));
  return fmt::format("{} {{{}}}", text, fmt::join(elements, ", "));
}

// The functions that a graph calls, each once, by what they are called in the text.
struct Functions {
  std::vector<std::pair<std::string, const Graph*>> all;

  explicit Functions(const Graph& graph) {
    for (const Node& node : graph.nodes()) {
      if (node.function != nullptr && name(*node.function).empty())
        all.emplace_back(unique(node.function->name()), node.function.get());
    }
  }
  std::string name(const Graph& function) const {
    for (const auto& [known, graph] : all) {
      if (graph == &function) return known;
    }
    return {};
  }

 private:
  std::string unique(const std::string& name) const {
    const auto is_taken = [&](const std::string& n) {
      return std::any_of(all.begin(), all.end(), [&](const auto& entry) { return entry.first == n; });
    };
    if (!is_taken(name)) return name;
    size_t number = 1;
    while (is_taken(fmt::format("{}_{}", name, number))) ++number;
    return fmt::format("{}_{}", name, number);
  }
};

std::string call_to_text(const Graph& graph, const Node& node, const Functions& functions) {
  std::vector<std::string> parts;
  for (const Value& input : node.inputs) parts.push_back(to_text(graph, input));
  for (size_t i = 0; i < node.attributes.all().size(); ++i) {
    const auto& [name, value] = node.attributes.all()[i];
    const ops::AttributeField& field = node.op->attributes[i];
    if (field.is_required || value != field.standard) parts.push_back(fmt::format("{}={}", name, ops::to_text(value)));
  }
  std::vector<std::string> types;
  for (const TensorType& type : node.types) types.push_back(describe(type));
  const std::string callee = node.op != nullptr ? node.op->name : "@" + functions.name(*node.function);
  return fmt::format("{}({}) : {}", callee, fmt::join(parts, ", "), fmt::join(types, ", "));
}

std::string graph_to_text(const Graph& graph, const std::string& name, const Functions& functions) {
  std::vector<std::string> inputs, outputs;
  for (const uint32_t input : graph.inputs()) {
    inputs.push_back(fmt::format("%{}: {}", graph.nodes()[input].name, describe(graph.nodes()[input].types[0])));
  }
  const std::string device = graph.device().empty() ? "" : " on " + graph.device();
  std::string text = fmt::format("graph {}({}){} {{\n", name, fmt::join(inputs, ", "), device);
  for (const Node& node : graph.nodes()) {
    if (node.kind == Node::Kind::kConstant) {
      text += fmt::format("  %{} = constant {}\n", node.name, to_text(*node.constant));
    } else if (node.kind != Node::Kind::kInput) {
      text += fmt::format("  %{} = {}\n", node.name, call_to_text(graph, node, functions));
    }
  }
  for (const Value& output : graph.outputs()) outputs.push_back(to_text(graph, output));
  for (size_t i = 0; i < graph.output_names().size(); ++i) outputs[i] += " as " + graph.output_names()[i];
  return text + fmt::format("  return {}\n}}\n", fmt::join(outputs, ", "));
}

}  // namespace

std::string to_text(const Graph& graph) {
  const Functions functions(graph);
  std::string text;
  for (const auto& [name, function] : functions.all) text += graph_to_text(*function, name, functions) + "\n";
  return text + graph_to_text(graph, graph.name(), functions);
}

Constants constants(const Graph& graph) {
  Constants all;
  for (const Node& node : graph.nodes()) {
    if (node.constant != nullptr && node.constant->size() > kMostPrinted) all[node.name] = node.constant;
  }
  return all;
}

}  // namespace vantage::graph
