#include "compiler/network/fold_kernels.h"

#include <algorithm>

#include "base/math.h"
#include "compiler/graph/rewrite.h"

namespace vantage::network {

using graph::Graph;
using graph::Node;
using graph::Rewrite;
using graph::Value;

namespace {

class Folder {
 public:
  Folder(const Graph& graph, const isa::Config& config)
      : graph_(graph), config_(config), from_processor_(graph.nodes().size()) {
    // What is made of the network's inputs element by element.
    for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
      const Node& node = graph.nodes()[n];
      const bool is_simple = node.kind != Node::Kind::kCall || node.op->pattern <= ops::Pattern::kInjective;
      from_processor_[n] = is_simple && std::all_of(node.inputs.begin(), node.inputs.end(),
                                                    [&](Value v) { return from_processor_[v.node]; });
    }
  }

  Graph run() && {
    Rewrite rewrite(graph_);
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      is_worth_it(graph_.nodes()[n]) ? fold(n, rewrite) : rewrite.copy(n);
    }
    return std::move(rewrite).finish();
  }

 private:
  bool is_worth_it(const Node& node) const {
    if (!node.is_call("conv2d")) return false;
    const TensorType& x = graph_.type(node.inputs[0]);
    const Tensor* weights = graph_.node(node.inputs[1]).constant.get();
    if (weights == nullptr || x.dtype != kInt8 || node.attributes.integer("groups") != 1) return false;
    if (!from_processor_[node.inputs[0].node]) return false;
    const int64_t channels = x.shape[1], kernel = weights->extent(2) * weights->extent(3);
    const Tensor::Shape& y = node.types[0].shape;
    const int64_t tiles = ceil_div(y[0], int64_t{config_.batch()}) * y[2] * y[3];
    const int64_t outputs = ceil_div(y[1], int64_t{config_.block_out()});
    const int64_t as_it_is = ceil_div(channels, int64_t{config_.block_in()}) * kernel;
    const int64_t folded = ceil_div(channels * kernel, int64_t{config_.block_in()});
    // Each tile of the folded input is read once.
    const auto beats =
        static_cast<int64_t>(ceil_div(config_.element_size(isa::Memory::kInp).count(), config_.bus_width().count()));
    return std::max(tiles * outputs * folded, tiles * folded * beats) < tiles * outputs * as_it_is;
  }

  void fold(uint32_t n, Rewrite& rewrite) const {
    const Node& node = graph_.nodes()[n];
    Graph& to = rewrite.graph();
    const Tensor& weights = *graph_.node(node.inputs[1]).constant;
    const auto& a = node.attributes;
    std::vector<Value> inputs = rewrite.at(node.inputs);
    inputs[0] = to.call("im2col", {inputs[0]},
                        {{"kernel", ops::Integers{weights.extent(2), weights.extent(3)}},
                         {"strides", a.integers("strides")},
                         {"padding", a.integers("padding")},
                         {"dilation", a.integers("dilation")}},
                        node.name + ".im2col");
    inputs[1] = to.constant(weights.reshaped({weights.extent(0), weights.size() / weights.extent(0), 1, 1}),
                            graph_.node(node.inputs[1]).name + ".folded");
    rewrite.replace(n, {to.call("conv2d", std::move(inputs), {{"dtype", a.type("dtype")}}, node.name)});
  }

  const Graph& graph_;
  const isa::Config& config_;
  std::vector<bool> from_processor_;  // by node
};

}  // namespace

Graph fold_kernels(Graph graph, const isa::Config& config) {
  return Folder(graph, config).run();
}

}  // namespace vantage::network
