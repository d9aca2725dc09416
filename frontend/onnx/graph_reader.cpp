#include "frontend/onnx/graph_reader.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "frontend/onnx/function_attributes.h"
#include "frontend/onnx/narrow.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

using ::onnx::FunctionProto;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::ValueInfoProto;

namespace {

// Graphs in nodes of graphs, and functions that call functions.
constexpr int kMostNested = 32;
// Nodes, where functions and loops have them again and again: of any file, and one more for so many of its bytes.
constexpr int64_t kMostNodes = int64_t{1} << 15;
constexpr int64_t kBytesOfNode = 16;
// How often each element of the weights may be moved or computed with as they are read.
constexpr int64_t kMadeOfWeights = 8;
// Of the operators, in files so old that they do not say it.
constexpr int64_t kOldestVersion = 1;

std::string quoted(const NodeProto& node) {
  const std::string& what = node.op_type();
  if (!node.name().empty()) return fmt::format("node {} ({})", node.name(), what);
  return node.output_size() > 0 ? fmt::format("the {} that makes {}", what, node.output(0)) : fmt::format("a {}", what);
}

// What is wrong with a node, with its name: nodes around it add nothing to that.
class NodeError : public Error {
 public:
  using Error::Error;
};

std::string domain(const std::string& name) {
  return name == "ai.onnx" ? "" : name;
}

// Weights that are no numbers make results that are none, of which nobody knows where they come from.
void require_numbers(const std::string& name, const Tensor& tensor) {
  if (!tensor.dtype().is_float()) return;
  const auto find = [&](const auto& values, const auto& is_none) {
    const auto found = std::find_if(values.begin(), values.end(), is_none);
    if (found == values.end()) return;
    fail("the tensor {} has NaN at element {}; was the training sound?", name, found - values.begin());
  };
  if (tensor.dtype() == kFloat32) return find(tensor.values<float>(), [](float x) { return std::isnan(x); });
  if (tensor.dtype() == kFloat64) return find(tensor.values<double>(), [](double x) { return std::isnan(x); });
  find(tensor.values<uint16_t>(), [](uint16_t half) { return (half & 0x7fff) > 0x7c00; });
}

Value output_of(const std::string& name, const Scope& scope) {
  const Value* value = scope.find(name);
  if (value == nullptr) fail("no node in it makes its output {}", name);
  return *value;
}

void require_depth(const Scope& scope) {
  if (scope.depth > kMostNested) fail("graphs and functions are nested more than {} deep", kMostNested);
}

}  // namespace

std::string as_name(const std::string& text) {
  std::string name = text;
  for (char& c : name) {
    const bool fits = (std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80) ||
                      c == '_' || c == '.' || c == '/' || c == '-';
    if (!fits) c = '_';
  }
  if (name.empty() || (std::isalpha(static_cast<unsigned char>(name[0])) == 0 && name[0] != '_')) name = "_" + name;
  return name;
}

const Value* Scope::find(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->around) {
    if (const auto found = scope->values.find(name); found != scope->values.end()) return &found->second;
  }
  return nullptr;
}

bool Scope::is_parameter(std::string_view name) const {
  if (function == nullptr) return around != nullptr && around->is_parameter(name);
  return std::find(function->input().begin(), function->input().end(), name) != function->input().end();
}

const NodeProto* Scope::calling() const {
  return call != nullptr || around == nullptr ? call : around->calling();
}

GraphReader::GraphReader(const ModelProto& model, std::filesystem::path folder, Builder& builder)
    : folder_(std::move(folder)), builder_(builder) {
  for (const auto& set : model.opset_import()) versions_[domain(set.domain())] = set.version();
  if (versions_.empty()) versions_[""] = kOldestVersion;
  for (const FunctionProto& function : model.functions()) {
    const bool is_new = functions_.emplace(std::pair(domain(function.domain()), function.name()), &function).second;
    if (!is_new) fail("two functions are called {}, which is one more than can be told apart here", function.name());
  }
  const auto bytes = static_cast<int64_t>(model.ByteSizeLong());
  nodes_left_ = kMostNodes + bytes / kBytesOfNode;
  builder_.allow(bytes);
}

void GraphReader::note_type(int64_t data_type, Value value) {
  if (find_narrow(data_type) != nullptr) narrow_.emplace(value, data_type);
}

void GraphReader::require_types(const NodeProto& node, const std::vector<std::optional<Value>>& inputs) const {
  const std::string& op = node.op_type();
  if (op == "Cast" || op == "DequantizeLinear") return;
  for (size_t i = op == "CastLike" ? 1 : 0; i < inputs.size(); ++i) {
    const auto found = inputs[i] ? narrow_.find(*inputs[i]) : narrow_.end();
    if (found == narrow_.end()) continue;
    fail("its input {} is of ONNX's type {}, which only Cast and DequantizeLinear take",
         node.input(static_cast<int>(i)), name_of_type(found->second));
  }
}

void GraphReader::count_node() {
  if (--nodes_left_ < 0) fail("functions and loops make more nodes of the file's than such a file may have");
}
void GraphReader::define(const std::string& name, Value value, Scope& scope) {
  if (!scope.values.emplace(name, value).second) fail("two values are called {}", name);
}

void GraphReader::add_constants(const GraphProto& graph, Scope& scope) {
  for (const auto& initializer : graph.initializer()) {
    builder_.set_name(as_name(initializer.name()));
    Tensor tensor = tensor_of(initializer, folder_);
    require_numbers(initializer.name(), tensor);
    // Those inside of nodes may be read again and again.
    scope.depth == 0 ? builder_.allow(kMadeOfWeights * tensor.size()) : builder_.spend(tensor.size());
    const Value value = builder_.weights(as_name(initializer.name()), std::move(tensor));
    note_type(initializer.data_type(), value);
    define(initializer.name(), value, scope);
  }
  if (graph.sparse_initializer_size() > 0) {
    fail("its weights {} are sparse; write them as a whole tensor", graph.sparse_initializer(0).values().name());
  }
}

void GraphReader::read_node(const NodeProto& node, Scope& scope) {
  std::vector<Value> made;
  try {
    made = read(node, scope);
  } catch (const NodeError&) {
    throw;
  } catch (const Error& error) {
    throw NodeError(fmt::format("{}: {}", quoted(node), error.what()));
  }
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    if (static_cast<size_t>(i) >= made.size()) {
      fail("{}: its output {}, {}, is none that is made here", quoted(node), i, node.output(i));
    }
    define(node.output(i), made[static_cast<size_t>(i)], scope);
  }
}

std::vector<Value> GraphReader::read(const NodeProto& given, Scope& scope) {
  count_node();
  NodeProto with_values;
  if (refers_to_function(given)) with_values = with_attributes(given, scope.calling());
  const NodeProto& node = refers_to_function(given) ? with_values : given;
  std::vector<std::optional<Value>> inputs;
  for (const std::string& name : node.input()) {
    const Value* value = name.empty() ? nullptr : scope.find(name);
    // What a call leaves out, so does the function's body.
    if (value == nullptr && !name.empty() && !scope.is_parameter(name)) {
      fail("nothing before it makes its input {}", name);
    }
    inputs.push_back(value == nullptr ? std::nullopt : std::optional(*value));
  }
  while (!inputs.empty() && !inputs.back()) inputs.pop_back();
  builder_.set_name(as_name(node.name().empty() ? node.op_type() : node.name()));
  const std::string of = domain(node.domain());
  if (const auto function = functions_.find({of, node.op_type()}); function != functions_.end()) {
    return call(*function->second, node, inputs, scope);
  }
  const auto version = scope.versions->find(of);
  if (version == scope.versions->end()) {
    fail("it is of the operators of '{}', of which the file gives no version", of.empty() ? "ai.onnx" : of);
  }
  require_types(node, inputs);
  const Node read(node, std::move(inputs), version->second, folder_, builder_);
  if (of.empty() && node.op_type() == "If") return read_if(read, scope);
  if (of.empty() && node.op_type() == "Loop") return read_loop(read, scope);
  if (of.empty() && node.op_type() == "Scan") return read_scan(read, scope);
  const std::string op = of.empty() ? node.op_type() : of + "." + node.op_type();
  const ImportOperator* import = find_import(op);
  if (import == nullptr) fail("there is no operator {}{}", op, did_you_mean(op, imported_operators()));
  std::vector<Value> made = (*import)(read);
  read.require_all_read();
  if (node.op_type() == "Constant" && read.has_attribute("value")) {
    for (const auto& attribute : node.attribute()) note_type(attribute.t().data_type(), made[0]);
  }
  return made;
}

std::vector<Value> GraphReader::inside(const GraphProto& graph, const Scope& around, const std::vector<Value>& inputs) {
  Scope scope{.around = &around, .versions = around.versions, .depth = around.depth + 1};
  require_depth(scope);
  if (static_cast<size_t>(graph.input_size()) != inputs.size()) {
    fail("its graph {} takes {} inputs, expected {}", graph.name(), graph.input_size(), inputs.size());
  }
  for (size_t i = 0; i < inputs.size(); ++i) define(graph.input(static_cast<int>(i)).name(), inputs[i], scope);
  add_constants(graph, scope);
  read_nodes(graph.node(), scope);
  std::vector<Value> outputs;
  for (const ValueInfoProto& output : graph.output()) outputs.push_back(output_of(output.name(), scope));
  return outputs;
}

std::vector<Value> GraphReader::call(const FunctionProto& function, const NodeProto& node,
                                     const std::vector<std::optional<Value>>& inputs, const Scope& from) {
  Versions versions = *from.versions;
  for (const auto& set : function.opset_import()) versions[domain(set.domain())] = set.version();
  const NodeProto whole = with_defaults(node, function);
  Scope scope{.versions = &versions, .depth = from.depth + 1, .function = &function, .call = &whole};
  require_depth(scope);
  for (int i = 0; i < function.input_size(); ++i) {
    if (static_cast<size_t>(i) < inputs.size() && inputs[static_cast<size_t>(i)]) {
      define(function.input(i), *inputs[static_cast<size_t>(i)], scope);
    }
  }
  read_nodes(function.node(), scope);
  std::vector<Value> outputs;
  for (const std::string& output : function.output()) outputs.push_back(output_of(output, scope));
  return outputs;
}

}  // namespace vantage::onnx_models
