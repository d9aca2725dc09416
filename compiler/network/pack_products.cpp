#include "compiler/network/pack_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compiler/network/operand_layouts.h"
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
  ProductPacker(const Graph& graph, const cpu::Target& target) : graph_(graph), target_(target) {}

  std::optional<OperandLayout> find(const graph::NodeFunction& function) const {
    const std::optional<Product> product = find_product(*function.graph);
    if (!product) return std::nullopt;
    return OperandLayout{
        .call = product->node,
        .operand = product->b.node,
        .type = ops::infer(pack_panels(), packing(*product))[0],
        .key = fmt::format("{} columns{}", product->tile.columns, product->transposed ? ", transposed" : ""),
        .lay_out = [this, product = *product](Rewrite& to, Value b) { return panels(to, b, product); },
        .make_call = [product = *product](
                         Graph& to, const Node& node,
                         const std::vector<Value>& inputs) { return call_product(to, node, inputs, product); }};
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

  Value panels(Rewrite& rewrite, Value b, const Product& product) const {
    const Node& node = graph_.node(b);
    const ops::OperatorCall call = packing(product);
    const std::string name = node.name + ".panels";
    if (node.constant != nullptr) {
      const Tensor matrix = node.constant->reshaped(product.matrix.shape);
      return rewrite.graph().constant(std::move(pack_panels().reference(call, {&matrix})[0]), name);
    }
    Value value = rewrite.at(b);
    if (graph_.type(b) != product.matrix) {
      const Integers shape(product.matrix.shape.begin(), product.matrix.shape.end());
      value = rewrite.graph().call("reshape", {value}, {{"shape", shape}}, node.name + ".matrix");
    }
    return rewrite.graph().call(pack_panels(), {value}, call.attributes, name);
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
};

}  // namespace

Graph pack_products(Graph graph, const cpu::Target& target) {
  const ProductPacker packer(graph, target);
  return lay_operands_out(graph, [&](const graph::NodeFunction& function) { return packer.find(function); });
}

}  // namespace vantage::network
