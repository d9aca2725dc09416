#include "compiler/graph/passes/fold_batch_norm.h"

#include <cmath>
#include <optional>
#include <set>

#include "compiler/graph/rewrite.h"
#include "compiler/ops/sizes.h"

namespace vantage::graph {

namespace {

// What a call's outputs are times, and what is added, by output.
struct ChannelScaling {
  std::vector<double> factor, shift;
};

std::optional<ChannelScaling> scaling_of(const Graph& graph, const Node& norm) {
  const Tensor* constants[4];
  for (size_t i = 0; i < 4; ++i) {
    constants[i] = graph.node(norm.inputs[i + 1]).constant.get();
    if (constants[i] == nullptr) return std::nullopt;
  }
  const auto [gamma, beta, mean, variance] = constants;
  ChannelScaling scaling;
  for (int64_t c = 0; c < gamma->size(); ++c) {
    const double factor = gamma->number(c) / std::sqrt(variance->number(c) + norm.attributes.number("epsilon"));
    scaling.factor.push_back(factor);
    scaling.shift.push_back(beta->number(c) - mean->number(c) * factor);
  }
  return scaling;
}

// Along which axis of its weights, and of its result, the outputs of a product lie; none where it is none of these.
struct OutputAxes {
  size_t weight, result;
};
std::optional<OutputAxes> output_axes(const Node& node) {
  if (node.kind != Node::Kind::kCall) return std::nullopt;
  if (node.is_call("conv2d")) return OutputAxes{0, 1};
  if (node.is_call("conv2d_transpose") && node.attributes.integer("groups") == 1) return OutputAxes{1, 1};
  if (node.is_call("dense")) return OutputAxes{0, node.types[0].shape.size() - 1};
  return std::nullopt;
}

class BatchNormFolder {
 public:
  explicit BatchNormFolder(const Graph& graph) : graph_(graph), uses_(uses(graph)), rewrite_(graph) {}

  Graph run() && {
    // What goes into others leaves its name to them.
    std::set<uint32_t> folded;
    for (const Node& norm : graph_.nodes()) {
      if (!scaling(norm)) continue;
      folded.insert(norm.inputs[0].node);
      for (const Value& input : graph_.node(norm.inputs[0]).inputs) {
        if (graph_.node(input).constant != nullptr && uses_[input.node] == 1) folded.insert(input.node);
      }
    }
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      if (const auto found = scaling(graph_.nodes()[n])) {
        fold(n, *found);
      } else if (folded.count(n) == 0) {
        rewrite_.copy(n);
      }
    }
    return std::move(rewrite_).finish();
  }

 private:
  // Of a batch norm that goes into the product before it.
  std::optional<ChannelScaling> scaling(const Node& norm) const {
    if (!norm.is_call("batch_norm")) return std::nullopt;
    const Value summed = norm.inputs[0];
    const Node& product = graph_.node(summed);
    const auto axes = output_axes(product);
    const auto axis = ops::axis_of(norm.attributes.integer("axis"), norm.types[0].shape.size());
    if (!axes || axes->result != axis || uses_[summed.node] != 1) return std::nullopt;
    for (size_t i = 1; i < product.inputs.size(); ++i) {
      if (graph_.node(product.inputs[i]).constant == nullptr) return std::nullopt;
    }
    return scaling_of(graph_, norm);
  }

  void fold(uint32_t n, const ChannelScaling& scaling) {
    const Node& product = graph_.node(graph_.nodes()[n].inputs[0]);
    const auto axes = output_axes(product);
    const Tensor* weight = graph_.node(product.inputs[1]).constant.get();
    const bool has_bias = product.inputs.size() > 2;
    const Tensor* bias = has_bias ? graph_.node(product.inputs[2]).constant.get() : nullptr;
    Tensor scaled = *weight, shifted(product.types[0].dtype, {static_cast<int64_t>(scaling.shift.size())});
    const auto outputs = static_cast<int64_t>(scaling.factor.size());
    int64_t inner = 1;  // elements behind each other of one output
    for (size_t d = axes->weight + 1; d < scaled.rank(); ++d) inner *= scaled.extent(d);
    for (int64_t e = 0; e < scaled.size(); ++e) {
      scaled.set_number(e, weight->number(e) * scaling.factor[static_cast<size_t>(e / inner % outputs)]);
    }
    for (int64_t o = 0; o < shifted.size(); ++o) {
      const auto output = static_cast<size_t>(o);
      shifted.set_number(o, (bias == nullptr ? 0 : bias->number(o) * scaling.factor[output]) + scaling.shift[output]);
    }
    Graph& to = rewrite_.graph();
    const Value new_weight = to.constant(std::move(scaled), graph_.node(product.inputs[1]).name);
    const Value new_bias = to.constant(std::move(shifted), product.name + ".bias");
    rewrite_.replace(n, {to.call(*product.op, {rewrite_.at(product.inputs[0]), new_weight, new_bias},
                                 product.attributes, product.name)});
  }

  const Graph& graph_;
  const std::vector<uint32_t> uses_;
  Rewrite rewrite_;
};

}  // namespace

Graph fold_batch_norm(Graph graph) {
  return BatchNormFolder(graph).run();
}

}  // namespace vantage::graph
