#include "frontend/onnx/import.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/suggest.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "frontend/onnx/model_file.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

namespace fs = std::filesystem;
using ::onnx::FunctionProto;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::ValueInfoProto;

namespace {

// Graphs in nodes of graphs, and functions that call functions.
constexpr int kMostNested = 32;
// Nodes, where functions and loops have them again and again.
constexpr int64_t kMostNodes = int64_t{1} << 16;
// How often each element of the weights may be moved or computed with as they are read.
constexpr int64_t kMadeOfWeights = 8;
// Of the operators, in files so old that they do not say it.
constexpr int64_t kOldestVersion = 1;

// A name that graphs can have.
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

using Values = std::map<std::string, Value, std::less<>>;
using Versions = std::map<std::string, int64_t, std::less<>>;

// What a graph, or a function's body, is read in: names of its own, and where it is inside of another one, those
// around.
struct Scope {
  const Scope* around = nullptr;
  Values values = {};
  const Versions* versions = nullptr;
  int depth = 0;
  // Of a function's body.
  const FunctionProto* function = nullptr;
  const NodeProto* call = nullptr;

  const Value* find(std::string_view name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->around) {
      if (const auto found = scope->values.find(name); found != scope->values.end()) return &found->second;
    }
    return nullptr;
  }
  // Whether it is an input of the function that this is in.
  bool is_parameter(std::string_view name) const {
    if (function == nullptr) return around != nullptr && around->is_parameter(name);
    return std::find(function->input().begin(), function->input().end(), name) != function->input().end();
  }
  const NodeProto* calling() const { return call != nullptr || around == nullptr ? call : around->calling(); }
};

class Importer {
 public:
  Importer(const ModelProto& model, fs::path folder, const ImportOptions& options)
      : model_(model),
        folder_(std::move(folder)),
        options_(options),
        builder_(as_name(model.graph().name().empty() ? "model" : model.graph().name())) {}

  graph::Graph run() && {
    for (const auto& set : model_.opset_import()) versions_[domain(set.domain())] = set.version();
    if (versions_.empty()) versions_[""] = kOldestVersion;
    for (const FunctionProto& function : model_.functions()) {
      functions_[{domain(function.domain()), function.name()}] = &function;
    }
    const GraphProto& graph = model_.graph();
    Scope scope{.versions = &versions_};
    // What nodes have of their own, too.
    builder_.allow(static_cast<int64_t>(graph.ByteSizeLong()));
    nodes_left_ = kMostNodes + graph.node_size();
    refuse_unknown_options(graph);
    add_constants(graph, scope);
    for (const ValueInfoProto& input : graph.input()) {
      if (scope.values.count(input.name()) == 0) add_input(input, scope);
    }
    read_nodes(graph.node(), scope);
    std::vector<Value> outputs;
    for (const ValueInfoProto& output : graph.output()) {
      const Value* value = scope.find(output.name());
      if (value == nullptr) fail("no node makes the output {}", output.name());
      check_output(output, *value);
      outputs.push_back(*value);
    }
    if (outputs.empty()) fail("it has no outputs");
    builder_.graph().set_outputs(outputs);
    // What was computed on the way is of no use any more.
    return graph::remove_dead_code(std::move(builder_.graph()));
  }

 private:
  static std::string domain(const std::string& name) { return name == "ai.onnx" ? "" : name; }

  void add_constants(const GraphProto& graph, Scope& scope) {
    for (const auto& initializer : graph.initializer()) {
      builder_.set_name(as_name(initializer.name()));
      Tensor tensor = tensor_of(initializer, folder_);
      require_numbers(initializer.name(), tensor);
      // Those inside of nodes may be read again and again.
      scope.depth == 0 ? builder_.allow(kMadeOfWeights * tensor.size()) : builder_.spend(tensor.size());
      define(initializer.name(), builder_.weights(as_name(initializer.name()), std::move(tensor)), scope);
    }
    if (graph.sparse_initializer_size() > 0) {
      fail("its weights {} are sparse; write them as a whole tensor", graph.sparse_initializer(0).values().name());
    }
  }

  // Weights that are no numbers make results that are none, of which nobody knows where they come from.
  static void require_numbers(const std::string& name, const Tensor& tensor) {
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

  void add_input(const ValueInfoProto& input, Scope& scope) {
    const std::string& name = input.name();
    if (const auto given = options_.constants.find(name); given != options_.constants.end()) {
      const DType dtype = type_of_input(input);
      if (given->second.dtype() != dtype) {
        fail("the constant {} is {}, but the file says {}", name, describe(given->second), vantage::name(dtype));
      }
      define(name, builder_.weights(as_name(name), given->second), scope);
      return;
    }
    TensorType type{type_of_input(input), shape_of_input(input)};
    Builder::require_possible(type);
    builder_.set_name(as_name(name));
    // Of nothing there is but one value.
    const bool is_empty = type.size() == 0;
    define(name, is_empty ? builder_.constant(Tensor(type.dtype, type.shape)) : builder_.input(as_name(name), type),
           scope);
  }

  static DType type_of_input(const ValueInfoProto& input) {
    if (!input.type().has_tensor_type()) {
      fail("the input {} is no tensor, but a sequence, a map or an optional value", input.name());
    }
    try {
      return dtype_of(input.type().tensor_type().elem_type());
    } catch (const Error& error) {
      fail("the input {} {}", input.name(), error.what());
    }
  }

  Tensor::Shape shape_of_input(const ValueInfoProto& input) const {
    const std::string& name = input.name();
    if (const auto given = options_.shapes.find(name); given != options_.shapes.end()) return given->second;
    const auto& type = input.type().tensor_type();
    if (!type.has_shape()) fail("the input {} has no shape; give it one, as --shape {}=1,3,224,224", name, name);
    Tensor::Shape shape;
    for (const auto& dimension : type.shape().dim()) {
      // Below 0 it is as good as none.
      if (dimension.has_dim_value() && dimension.dim_value() >= 0) {
        shape.push_back(dimension.dim_value());
        continue;
      }
      const auto given = options_.sizes.find(dimension.dim_param());
      if (dimension.dim_param().empty()) {
        fail("the input {} has an unknown size at axis {}; give its shape, as --shape {}=...", name, shape.size(),
             name);
      }
      if (given == options_.sizes.end()) {
        fail("the input {} has the size {} at axis {}; give that a value, as --size {}=1", name, dimension.dim_param(),
             shape.size(), dimension.dim_param());
      }
      shape.push_back(given->second);
    }
    return shape;
  }

  void refuse_unknown_options(const GraphProto& graph) const {
    std::vector<std::string> inputs, symbols;
    for (const ValueInfoProto& input : graph.input()) {
      inputs.push_back(input.name());
      for (const auto& dimension : input.type().tensor_type().shape().dim()) {
        if (!dimension.dim_param().empty()) symbols.push_back(dimension.dim_param());
      }
    }
    const auto check = [](const auto& given, const std::vector<std::string>& known, std::string_view what) {
      for (const auto& [name, value] : given) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
          fail("there is no {} {}{}", what, name, did_you_mean(name, known));
        }
      }
    };
    check(options_.shapes, inputs, "input");
    check(options_.constants, inputs, "input");
    check(options_.sizes, symbols, "symbol");
  }

  void check_output(const ValueInfoProto& output, Value value) const {
    if (!output.type().has_tensor_type()) return;
    const auto& type = output.type().tensor_type();
    const TensorType& made = builder_.type(value);
    if (type.elem_type() != 0) {
      const DType said = dtype_of(type.elem_type());
      if (said != made.dtype) {
        fail("the output {} is {}, but the file says {}", output.name(), describe(made), vantage::name(said));
      }
    }
    if (!type.has_shape() || !options_.shapes.empty()) return;
    bool fits = static_cast<size_t>(type.shape().dim_size()) == made.shape.size();
    for (int d = 0; fits && d < type.shape().dim_size(); ++d) {
      const auto& dimension = type.shape().dim(d);
      fits = !dimension.has_dim_value() || dimension.dim_value() == made.shape[static_cast<size_t>(d)];
    }
    if (!fits) fail("the output {} is {}, but the file says another shape", output.name(), describe(made));
  }

  void define(const std::string& name, Value value, Scope& scope) const {
    if (!scope.values.emplace(name, value).second) fail("two values are called {}", name);
  }

  template <typename Nodes>
  void read_nodes(const Nodes& nodes, Scope& scope) {
    for (const NodeProto& node : nodes) {
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
  }

  std::vector<Value> read(const NodeProto& given, Scope& scope) {
    if (--nodes_left_ < 0) fail("functions and loops make more than {} nodes of the file's", kMostNodes);
    NodeProto with_values;
    if (refers(given)) with_values = with_attributes(given, scope.calling());
    const NodeProto& node = refers(given) ? with_values : given;
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
    const Node read(node, std::move(inputs), version->second, folder_, builder_);
    if (of.empty() && node.op_type() == "If") return read_if(read, scope);
    const ImportOperator* import = of.empty() ? find_import(node.op_type()) : nullptr;
    if (import == nullptr) {
      fail("there is no operator {}{}{}", of.empty() ? "" : of + ".", node.op_type(),
           did_you_mean(node.op_type(), imported_operators()));
    }
    std::vector<Value> made = (*import)(read);
    read.require_all_read();
    return made;
  }

  // One of two graphs, which is known before anything runs.
  std::vector<Value> read_if(const Node& node, const Scope& scope) {
    const Tensor& condition = node.constant(0, "condition");
    if (condition.size() != 1) fail("its condition is {}, expected one bool", describe(condition));
    return inside(node.graph(condition.integer(0) != 0 ? "then_branch" : "else_branch"), scope);
  }

  std::vector<Value> inside(const GraphProto& graph, const Scope& around) {
    Scope scope{.around = &around, .versions = around.versions, .depth = around.depth + 1};
    require_depth(scope);
    add_constants(graph, scope);
    read_nodes(graph.node(), scope);
    std::vector<Value> outputs;
    for (const ValueInfoProto& output : graph.output()) outputs.push_back(output_of(output.name(), scope));
    return outputs;
  }

  static Value output_of(const std::string& name, const Scope& scope) {
    const Value* value = scope.find(name);
    if (value == nullptr) fail("no node in it makes its output {}", name);
    return *value;
  }

  static void require_depth(const Scope& scope) {
    if (scope.depth > kMostNested) fail("graphs and functions are nested more than {} deep", kMostNested);
  }

  // A function of the file's own, as if its nodes stood here.
  std::vector<Value> call(const FunctionProto& function, const NodeProto& node,
                          const std::vector<std::optional<Value>>& inputs, const Scope& from) {
    Versions versions = *from.versions;
    for (const auto& set : function.opset_import()) versions[domain(set.domain())] = set.version();
    Scope scope{.versions = &versions, .depth = from.depth + 1, .function = &function, .call = &node};
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

  static bool refers(const NodeProto& node) {
    return std::any_of(node.attribute().begin(), node.attribute().end(),
                       [](const auto& attribute) { return !attribute.ref_attr_name().empty(); });
  }

  // With what the call says where a function's body refers to it.
  static NodeProto with_attributes(const NodeProto& inner, const NodeProto* call) {
    if (call == nullptr) fail("it refers to attributes of a function, and is in none");
    NodeProto node = inner;
    node.clear_attribute();
    for (const auto& attribute : inner.attribute()) {
      if (attribute.ref_attr_name().empty()) {
        *node.add_attribute() = attribute;
        continue;
      }
      for (const auto& given : call->attribute()) {
        if (given.name() != attribute.ref_attr_name()) continue;
        auto* mine = node.add_attribute();
        *mine = given;
        mine->set_name(attribute.name());
      }
    }
    return node;
  }

  const ModelProto& model_;
  fs::path folder_;
  const ImportOptions& options_;
  Builder builder_;
  Versions versions_;
  int64_t nodes_left_ = 0;
  std::map<std::pair<std::string, std::string>, const FunctionProto*> functions_;
};

}  // namespace

graph::Graph import_model(std::string_view bytes, std::string_view source, const fs::path& folder,
                          const ImportOptions& options) {
  const ModelProto model = parse_model(bytes, source);
  try {
    return Importer(model, folder, options).run();
  } catch (const Error& error) {
    fail("{}: {}", source, error.what());
  }
}

graph::Graph import_model(const fs::path& file, const ImportOptions& options) {
  return import_model(read_file(file, Bytes(INT_MAX)), file.string(), file.parent_path(), options);
}

}  // namespace vantage::onnx_models
