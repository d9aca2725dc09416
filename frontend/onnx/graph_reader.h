// The nodes of graphs, and of graphs and functions inside of them, one after another, as calls of a builder.
//
// Thread safety: none.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/onnx/builder.h"
#include "frontend/onnx/node.h"
#include "onnx/onnx.pb.h"

namespace vantage::onnx_models {

// A name that graphs can have.
std::string as_name(const std::string& text);

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
  const ::onnx::FunctionProto* function = nullptr;
  const ::onnx::NodeProto* call = nullptr;

  // Null for a name that nothing has.
  const Value* find(std::string_view name) const;
  // Whether it is an input of the function that this is in.
  bool is_parameter(std::string_view name) const;
  const ::onnx::NodeProto* calling() const;
};

class GraphReader {
 public:
  // All of them outlive it.
  GraphReader(const ::onnx::ModelProto& model, std::filesystem::path folder, Builder& builder);

  // Of the model's graph.
  Scope scope() const { return {.versions = &versions_}; }
  // All of these throw Error, with the name of the node or the tensor.
  static void define(const std::string& name, Value value, Scope& scope);
  void add_constants(const ::onnx::GraphProto& graph, Scope& scope);
  template <typename Nodes>
  void read_nodes(const Nodes& nodes, Scope& scope) {
    for (const ::onnx::NodeProto& node : nodes) read_node(node, scope);
  }

 private:
  void read_node(const ::onnx::NodeProto& node, Scope& scope);
  std::vector<Value> read(const ::onnx::NodeProto& given, Scope& scope);
  // A function of the file's own, as if its nodes stood here.
  std::vector<Value> call(const ::onnx::FunctionProto& function, const ::onnx::NodeProto& node,
                          const std::vector<std::optional<Value>>& inputs, const Scope& from);
  // One of the graphs that a node has, with values of its inputs.
  std::vector<Value> inside(const ::onnx::GraphProto& graph, const Scope& around, const std::vector<Value>& inputs);
  void count_node();
  // Remembers a tensor that is of fewer bits in the file than here: only some operators mean its values alone.
  void note_type(int64_t data_type, Value value);
  void require_types(const ::onnx::NodeProto& node, const std::vector<std::optional<Value>>& inputs) const;

  // Nodes that have graphs: control_flow.cpp.
  std::vector<Value> read_if(const Node& node, const Scope& scope);
  std::vector<Value> read_loop(const Node& node, const Scope& scope);
  std::vector<Value> read_scan(const Node& node, const Scope& scope);

  std::filesystem::path folder_;
  Builder& builder_;
  Versions versions_;
  int64_t nodes_left_ = 0;
  std::map<Value, int64_t> narrow_;  // types in the file
  std::map<std::pair<std::string, std::string>, const ::onnx::FunctionProto*> functions_;
};

}  // namespace vantage::onnx_models
