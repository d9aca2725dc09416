#include "compiler/network/pack_products.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/graph/lower.h"
#include "compiler/graph/rewrite.h"
#include "compiler/ops/cpu/tile.h"

namespace vantage::network {

using graph::Graph;
using graph::Node;
using graph::Rewrite;
using graph::Value;
using ops::Integers;

namespace {

// With fewer rows every weight is used so seldom that packing, or padding rows of a tile, costs more than it gains.
constexpr int64_t kFewRows = 8;

const ops::Operator& pack_panels() {
  static const ops::Operator& op = ops::find_operator("pack_panels");
  return op;
}

class ProductPacker {
 public:
  ProductPacker(const Graph& graph, const cpu::Target& target) : graph_(graph), target_(target), rewrite_(graph) {}

  Graph run() && {
    std::vector<uint32_t> uses = graph::uses(graph_);
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const auto found = find(n);
      if (!found) continue;
      --uses[found->weights().node];
      products_.emplace(n, *found);
    }
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const auto product = products_.find(n);
      if (product != products_.end()) {
        pack(n, product->second);
      } else if (graph_.nodes()[n].constant == nullptr || uses[n] > 0) {  // large ones are not kept twice
        rewrite_.copy(n);
      }
    }
    return std::move(rewrite_).finish();
  }

 private:
  struct Product {
    uint32_t node;                // of the function
    Value b;                      // the function's input that is packed
    TensorType matrix;            // which is this, but for its shape
    bool transposed;              // [n, k]
    std::string op;               // that takes the panels
    ops::RegisterTile tile = {};  // rows, or pixels, and width
    Integers kernel = {};         // of a convolution
  };

  // A node that is a product for panels, as a function.
  struct Found {
    graph::NodeFunction function;
    size_t input;  // of the function: what is packed
    Product product;
    Value weights() const { return function.arguments[input]; }
  };

  std::optional<Found> find(uint32_t n) const {
    const Node& node = graph_.nodes()[n];
    const bool is_call = node.kind == Node::Kind::kCall && node.op->pattern == ops::Pattern::kAnchor;
    const bool is_function = node.kind == Node::Kind::kFunction && node.function->device().empty();
    if (!is_call && !is_function) return std::nullopt;
    graph::NodeFunction function = graph::function_of(graph_, n);
    const std::optional<Product> product = find_product(*function.graph);
    if (!product) return std::nullopt;
    const std::vector<uint32_t> inputs = function.graph->inputs();
    const auto input = static_cast<size_t>(std::ranges::find(inputs, product->b.node) - inputs.begin());
    return Found{std::move(function), input, *product};
  }

  void pack(uint32_t n, const Found& found) {
    std::vector<Value> arguments;
    for (size_t i = 0; i < found.function.arguments.size(); ++i) {
      const Value argument = found.function.arguments[i];
      arguments.push_back(i == found.input ? panels(argument, found.product) : rewrite_.at(argument));
    }
    auto function = std::make_shared<const Graph>(with_panels(*found.function.graph, found.product));
    rewrite_.replace(n, {rewrite_.graph().call(std::move(function), std::move(arguments), graph_.nodes()[n].name)});
  }

  // The function's only product, if it is one for panels.
  std::optional<Product> find_product(const Graph& function) const {
    const std::vector<Node>& nodes = function.nodes();
    const auto is_anchor = [](const Node& node) {
      return node.kind == Node::Kind::kCall && node.op->pattern == ops::Pattern::kAnchor;
    };
    if (std::ranges::count_if(nodes, is_anchor) != 1 || function.outputs().size() != 1) return std::nullopt;
    const auto n = static_cast<uint32_t>(std::ranges::find_if(nodes, is_anchor) - nodes.begin());
    const Node& node = nodes[n];
    const TensorType &y = node.types[0], &b = function.type(node.inputs[1]);
    if (function.type(function.outputs()[0]).shape != y.shape) return std::nullopt;
    const bool are_floats =
        y.dtype == kFloat32 && b.dtype == kFloat32 && function.type(node.inputs[0]).dtype == kFloat32;
    if (!are_floats || function.node(node.inputs[1]).kind != Node::Kind::kInput) return std::nullopt;
    if (graph::uses(function)[node.inputs[1].node] != 1) return std::nullopt;
    std::optional<Product> product = node.is_call("conv2d") ? of_convolution(function, n) : of_matrices(function, n);
    if (product) product->b = node.inputs[1];
    return product;
  }

  std::optional<Product> of_matrices(const Graph& function, uint32_t n) const {
    const Node& node = function.nodes()[n];
    const bool is_dense = node.is_call("dense");
    if (!is_dense && !node.is_call("matmul")) return std::nullopt;
    const TensorType &a = function.type(node.inputs[0]), &b = function.type(node.inputs[1]);
    const Tensor::Shape& y = node.types[0].shape;
    const bool is_stack = a.shape.size() == b.shape.size() &&
                          std::equal(a.shape.begin(), a.shape.end() - 2, b.shape.begin(), b.shape.end() - 2);
    if (!is_stack || (!is_dense && node.attributes.flag("transpose_a"))) return std::nullopt;
    const int64_t rows = y[y.size() - 2], columns = y.back();
    if (rows <= kFewRows || columns < lanes()) return std::nullopt;
    return Product{.node = n,
                   .b = {},
                   .matrix = b,
                   .transposed = is_dense || node.attributes.flag("transpose_b"),
                   .op = "panel_matmul",
                   .tile = ops::choose_register_tile(rows, columns, target_),
                   .kernel = {}};
  }

  std::optional<Product> of_convolution(const Graph& function, uint32_t n) const {
    const Node& node = function.nodes()[n];
    const TensorType& kernels = function.type(node.inputs[1]);
    const Tensor::Shape& y = node.types[0].shape;
    if (node.attributes.integer("groups") != 1 || y[1] < lanes()) return std::nullopt;
    return Product{.node = n,
                   .b = {},
                   .matrix = {kernels.dtype, {kernels.shape[0], kernels.size() / kernels.shape[0]}},
                   .transposed = true,
                   .op = "panel_conv2d",
                   .tile = ops::choose_register_tile(y[3], y[1], target_),
                   .kernel = {kernels.shape[2], kernels.shape[3]}};
  }

  int64_t lanes() const { return target_.vector_bytes / 4; }

  static ops::OperatorCall packing(const Product& product) {
    return {{product.matrix},
            ops::Attributes(pack_panels().attributes,
                            {{"width", product.tile.columns}, {"transposed", product.transposed}})};
  }

  Value panels(Value b, const Product& product) {
    const auto [entry, is_new] = packed_.emplace(std::tuple(b, product.tile.columns, product.transposed), Value{});
    if (!is_new) return entry->second;
    const Node& node = graph_.node(b);
    const ops::OperatorCall call = packing(product);
    const std::string name = node.name + ".panels";
    if (node.constant != nullptr) {
      const Tensor matrix = node.constant->reshaped(product.matrix.shape);
      entry->second = rewrite_.graph().constant(std::move(pack_panels().reference(call, {&matrix})[0]), name);
    } else {
      Value value = rewrite_.at(b);
      if (graph_.type(b) != product.matrix) {
        const Integers shape(product.matrix.shape.begin(), product.matrix.shape.end());
        value = rewrite_.graph().call("reshape", {value}, {{"shape", shape}}, node.name + ".matrix");
      }
      entry->second = rewrite_.graph().call(pack_panels(), {value}, call.attributes, name);
    }
    return entry->second;
  }

  static Graph with_panels(const Graph& function, const Product& product) {
    Graph to(function.name());
    std::map<Value, Value> made;
    for (uint32_t n = 0; n < function.nodes().size(); ++n) {
      const Node& node = function.nodes()[n];
      std::vector<Value> inputs;
      for (const Value& input : node.inputs) inputs.push_back(made.at(input));
      Value value;
      if (n == product.b.node) {
        value = to.input(node.name, ops::infer(pack_panels(), packing(product))[0]);
      } else if (n == product.node) {
        value = call_product(to, node, inputs, product);
      } else if (node.kind == Node::Kind::kInput) {
        value = to.input(node.name, node.types[0]);
      } else if (node.kind == Node::Kind::kConstant) {
        value = to.constant(node.constant, node.name);
      } else {
        value = to.call(*node.op, std::move(inputs), node.attributes, node.name);
      }
      for (uint32_t i = 0; i < node.types.size(); ++i) made[{n, i}] = {value.node, i};
    }
    to.set_outputs({made.at(function.outputs()[0])});
    return to;
  }

  // On inputs whose second one is panels already.
  static Value call_product(Graph& to, const Node& node, const std::vector<Value>& inputs, const Product& product) {
    const Tensor::Shape& y = node.types[0].shape;
    const bool is_convolution = product.op == "panel_conv2d";
    graph::GivenAttributes attributes;
    if (is_convolution) {
      const auto& of = node.attributes;
      attributes = {{"strides", of.integers("strides")},
                    {"padding", of.integers("padding")},
                    {"dilation", of.integers("dilation")},
                    {"kernel", product.kernel},
                    {"outputs", y[1]},
                    {"pixels", product.tile.rows}};
    } else {
      attributes = {{"columns", y.back()}, {"rows", product.tile.rows}};
    }
    Value value = to.call(product.op, {inputs[0], inputs[1]}, std::move(attributes), node.name);
    if (inputs.size() < 3) return value;
    Value bias = inputs[2];
    if (is_convolution) bias = to.call("reshape", {bias}, {{"shape", Integers{y[1], 1, 1}}});
    return to.call("add", {value, bias});
  }

  const Graph& graph_;
  const cpu::Target& target_;
  Rewrite rewrite_;
  std::map<uint32_t, Found> products_;                        // by node
  std::map<std::tuple<Value, int64_t, bool>, Value> packed_;  // by what was packed, and how
};

}  // namespace

Graph pack_products(Graph graph, const cpu::Target& target) {
  return ProductPacker(graph, target).run();
}

}  // namespace vantage::network
