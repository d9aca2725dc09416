#include "compiler/graph/passes/fold_bias.h"

#include <optional>

#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

using ops::Integers;

class BiasFolder {
 public:
  explicit BiasFolder(const Graph& graph) : graph_(graph), uses_(uses(graph)), rewrite_(graph) {}

  Graph run() && {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      if (!fold(n)) rewrite_.copy(n);
    }
    return std::move(rewrite_).finish();
  }

 private:
  bool fold(uint32_t n) {
    const Node& add = graph_.nodes()[n];
    if (!add.is_call("add")) return false;
    const Tensor* added = graph_.node(add.inputs[1]).constant.get();
    return added != nullptr && graph_.type(add.inputs[0]) == add.types[0] && fold(n, add.inputs[0], *added);
  }

  bool fold(uint32_t n, Value sum, const Tensor& added) {
    const Node& add = graph_.nodes()[n];
    // Rows of a product may have got their axes back.
    const Node* shaped = &graph_.node(sum);
    const Value of = shaped->is_call("reshape") ? shaped->inputs[0] : sum;
    const Node& product = graph_.node(of);
    const bool is_dense = product.is_call("dense");
    if ((!is_dense && !product.is_call("conv2d")) || product.inputs.size() != 2) return false;
    if (uses_[sum.node] != 1 || uses_[of.node] != 1) return false;
    const int64_t outputs = graph_.type(product.inputs[1]).shape[0];
    if (of != sum && (!is_dense || shaped->types[0].shape.empty() || shaped->types[0].shape.back() != outputs)) {
      return false;
    }
    // Along the axis of the outputs, which all others repeat.
    const size_t behind = is_dense ? 1 : 3;
    if (added.dtype() != product.types[0].dtype || added.size() != outputs || added.rank() < behind ||
        added.extent(added.rank() - behind) != outputs) {
      return false;
    }
    Graph& to = rewrite_.graph();
    std::vector<Value> inputs = rewrite_.at(product.inputs);
    inputs.push_back(to.constant(added.reshaped({outputs}), add.name + ".bias"));
    const bool is_shaped = of != sum;
    Value value =
        to.call(*product.op, std::move(inputs), product.attributes, is_shaped ? add.name + ".products" : add.name);
    if (is_shaped) {
      const Tensor::Shape& shape = add.types[0].shape;
      value = to.call("reshape", {value}, {{"shape", Integers(shape.begin(), shape.end())}}, add.name);
    }
    rewrite_.replace(n, {value});
    return true;
  }

  const Graph& graph_;
  std::vector<uint32_t> uses_;
  Rewrite rewrite_;
};

}  // namespace

Graph fold_bias(Graph graph) {
  return BiasFolder(graph).run();
}

}  // namespace vantage::graph
