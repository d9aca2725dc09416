#include "frontend/onnx/import.h"

#include <algorithm>
#include <climits>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/suggest.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "frontend/onnx/graph_reader.h"
#include "frontend/onnx/model_file.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

namespace fs = std::filesystem;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::ValueInfoProto;

namespace {

class Importer {
 public:
  Importer(const ModelProto& model, fs::path folder, const ImportOptions& options)
      : model_(model),
        options_(options),
        builder_(as_name(model.graph().name().empty() ? "model" : model.graph().name())),
        reader_(model, std::move(folder), builder_) {}

  graph::Graph run() && {
    const GraphProto& graph = model_.graph();
    Scope scope = reader_.scope();
    refuse_unknown_options(graph);
    reader_.add_constants(graph, scope);
    for (const ValueInfoProto& input : graph.input()) {
      if (scope.values.count(input.name()) == 0) add_input(input, scope);
    }
    reader_.read_nodes(graph.node(), scope);
    std::vector<Value> outputs;
    std::vector<std::string> names;
    for (const ValueInfoProto& output : graph.output()) {
      const Value* value = scope.find(output.name());
      if (value == nullptr) fail("no node makes the output {}", output.name());
      check_output(output, *value);
      outputs.push_back(*value);
      // What the graph cannot say may be the same of two.
      std::string called = as_name(output.name());
      while (std::find(names.begin(), names.end(), called) != names.end()) called += "_";
      names.push_back(std::move(called));
    }
    if (outputs.empty()) fail("it has no outputs");
    builder_.graph().set_outputs(outputs);
    builder_.graph().name_outputs(std::move(names));
    // What was computed on the way is of no use any more.
    return graph::remove_dead_code(std::move(builder_.graph()));
  }

 private:
  void add_input(const ValueInfoProto& input, Scope& scope) {
    const std::string& name = input.name();
    if (const auto given = options_.constants.find(name); given != options_.constants.end()) {
      const DType dtype = type_of_input(input);
      if (given->second.dtype() != dtype) {
        fail("the constant {} is {}, but the file says {}", name, describe(given->second), vantage::name(dtype));
      }
      GraphReader::define(name, builder_.weights(as_name(name), given->second), scope);
      return;
    }
    TensorType type{type_of_input(input), shape_of_input(input)};
    Builder::require_possible(type);
    builder_.set_name(as_name(name));
    // Of nothing there is but one value.
    const bool is_empty = type.size() == 0;
    GraphReader::define(
        name, is_empty ? builder_.constant(Tensor(type.dtype, type.shape)) : builder_.input(as_name(name), type),
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
    std::set<std::string> open;  // symbols that a shape is made of
    for (const ValueInfoProto& input : graph.input()) {
      inputs.push_back(input.name());
      for (const auto& dimension : input.type().tensor_type().shape().dim()) {
        if (dimension.dim_param().empty()) continue;
        symbols.push_back(dimension.dim_param());
        const bool is_given = options_.shapes.contains(input.name()) || options_.constants.contains(input.name());
        if (!is_given) open.insert(dimension.dim_param());
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
    for (const auto& [name, shape] : options_.shapes) {
      if (options_.constants.contains(name))
        fail("the input {} has both a shape and a value; leave out its shape", name);
    }
    for (const auto& [name, size] : options_.sizes) {
      if (open.contains(name)) continue;
      fail("{} is given as {}, but so are the shapes or values of all inputs with that size; leave out one of them",
           name, size);
    }
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

  const ModelProto& model_;
  const ImportOptions& options_;
  Builder builder_;
  GraphReader reader_;
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
