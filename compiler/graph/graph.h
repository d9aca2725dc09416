// Networks: what is computed from what, operator by operator.
//
//   Graph g("small");
//   const Value x = g.input("x", {kFloat32, {1, 3, 8, 8}});
//   const Value w = g.constant(weights, "w");
//   const Value c = g.call("conv2d", {x, w}, {{"padding", Integers{1, 1, 1, 1}}});
//   g.set_outputs({g.call("relu", {c})});
//
// A graph is a list of nodes, each behind those that it takes values from; a value never changes. It can only be made
// by calls that check it, so every graph is sound: its types are what its operators infer. A pass makes a new graph.
//
// Thread safety: as a std::vector's. Constants are shared and never change.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tensor/type.h"
#include "compiler/ops/operators.h"

namespace vantage::graph {

// An output of a node.
struct Value {
  uint32_t node = 0, output = 0;
  auto operator<=>(const Value&) const = default;
};

class Graph;

struct Node {
  enum class Kind : uint8_t { kInput, kConstant, kCall, kFunction };
  Kind kind = Kind::kInput;
  std::string name;               // no other node of the graph has it
  std::vector<TensorType> types;  // of its outputs
  std::shared_ptr<const Tensor> constant = {};
  const ops::Operator* op = nullptr;  // of a call, like its attributes
  ops::Attributes attributes = {};
  std::shared_ptr<const Graph> function = {};  // of a call of a function
  std::vector<Value> inputs = {};              // of either

  // Whether it is a call of the operator of that name.
  bool is_call(std::string_view operation) const { return op != nullptr && op->name == operation; }
  ops::OperatorCall operator_call(const std::vector<Node>& nodes) const;
};

using GivenAttributes = std::vector<std::pair<std::string, ops::Attribute>>;

class Graph {
 public:
  // Throws Error for a name that the text could not say (is_name()).
  explicit Graph(std::string name);

  // All of these append a node. Throw Error, naming it, for a name that the text could not say, values that are not of
  // this graph, and what the operator refuses. A name that is taken gets a number; without one, a node is called like
  // its operator.
  Value input(std::string name, TensorType type);
  Value constant(Tensor tensor, std::string name = "constant");
  Value constant(std::shared_ptr<const Tensor> tensor, std::string name = "constant");
  // The first output, which is the only one of every operator but split.
  Value call(std::string_view op, std::vector<Value> inputs, GivenAttributes attributes = {}, std::string name = {});
  // The same with all of its attributes.
  Value call(const ops::Operator& op, std::vector<Value> inputs, ops::Attributes attributes, std::string name = {});

  // A call of another graph, whose inputs these are, in order: operators that are computed together. Throws Error for
  // other types, and for a function that has functions or constants that its text would leave out (text.h).
  Value call(std::shared_ptr<const Graph> function, std::vector<Value> inputs, std::string name = {});

  // What the graph computes: at least one value. A value may be there twice.
  void set_outputs(std::vector<Value> outputs);
  // What the outputs are called, each by a name of its own, where that is not the name of the node that makes it:
  // empty, or one for each. Throws Error for a name that the text could not say, or that is there twice.
  void name_outputs(std::vector<std::string> names);

  // Where a function runs, as a partition has decided: "vta"; empty: on the processor. Throws Error for a name that the
  // text could not say.
  void set_device(std::string device);
  const std::string& device() const { return device_; }

  const std::string& name() const { return name_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Value>& outputs() const { return outputs_; }
  const std::vector<std::string>& output_names() const { return output_names_; }
  const Node& node(Value value) const { return nodes_.at(value.node); }
  const TensorType& type(Value value) const { return node(value).types.at(value.output); }
  // Nodes that are inputs, in order.
  std::vector<uint32_t> inputs() const;

 private:
  Value append(Node node);
  std::string unique(std::string name);

  std::string name_, device_;
  std::vector<Node> nodes_;
  std::vector<Value> outputs_;
  std::vector<std::string> output_names_;
  std::map<std::string, size_t, std::less<>> names_;  // with the last number that was put behind each
};

// Whether the text can say it: letters, digits, and "_./-" behind a letter or "_".
bool is_name(std::string_view name);

// The same nodes in the same order, whatever they are called.
bool same_structure(const Graph& a, const Graph& b);

}  // namespace vantage::graph
