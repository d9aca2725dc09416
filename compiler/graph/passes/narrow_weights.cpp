#include "compiler/graph/passes/narrow_weights.h"

#include <algorithm>
#include <optional>

#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/rewrite.h"
#include "compiler/ops/sizes.h"

namespace vantage::graph {

namespace {

NarrowWeights transposed(const NarrowWeights& weights, const std::vector<size_t>& order) {
  NarrowWeights moved = weights;
  moved.integers = std::make_shared<const Tensor>(weights.integers->permuted(order));
  if (weights.scales->size() > 1) moved.scales = std::make_shared<const Tensor>(weights.scales->permuted(order));
  return moved;
}

// None where scales are not as many along each axis any more: only axes of one element may come and go.
std::optional<NarrowWeights> reshaped(const NarrowWeights& weights, const Tensor::Shape& to) {
  NarrowWeights moved = weights;
  moved.integers = std::make_shared<const Tensor>(weights.integers->reshaped(to));
  if (weights.scales->size() == 1) return moved;
  Tensor::Shape scales, extents, wanted;
  const Tensor::Shape& from = weights.integers->shape();
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] != 1) extents.push_back(from[d]), scales.push_back(weights.scales->extent(d));
  }
  std::ranges::copy_if(to, std::back_inserter(wanted), [](int64_t extent) { return extent != 1; });
  if (wanted != extents) return std::nullopt;
  Tensor::Shape shape;
  for (size_t d = 0, i = 0; d < to.size(); ++d) shape.push_back(to[d] == 1 ? 1 : scales[i++]);
  moved.scales = std::make_shared<const Tensor>(weights.scales->reshaped(shape));
  return moved;
}

bool is_by_output(const NarrowWeights& weights, size_t axis) {
  if (weights.has_groups()) return weights.scales->extent(axis) == weights.integers->extent(axis);
  return weights.scales->size() == 1 || weights.scales->extent(axis) == weights.scales->size();
}

class Narrower {
 public:
  explicit Narrower(const Graph& graph)
      : graph_(graph), narrow_(graph.nodes().size()), users_(graph.nodes().size()), rewrite_(graph) {
    for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
      narrow_[n] = narrow(n);
      for (const Value& input : graph.nodes()[n].inputs) users_[input.node].push_back(n);
    }
  }

  Graph run() && {
    const size_t count = graph_.nodes().size();
    std::vector<bool> stays(count), is_output(count), is_needed(count);
    for (const Value& output : graph_.outputs()) is_output[output.node] = is_needed[output.node] = true;
    for (uint32_t n = static_cast<uint32_t>(count); n-- > 0;) {
      if (!narrow_[n]) continue;
      stays[n] = !is_output[n] && std::ranges::all_of(users_[n], [&](uint32_t user) {
        return narrow_[user] ? stays[user] : takes(graph_.nodes()[user], n);
      });
      // Quicker to compute than to keep.
      const bool is_large = graph_.nodes()[n].types[0].bytes() > kMostFolded;
      if (!stays[n] && is_large) narrow_[n].reset();
    }
    for (uint32_t n = static_cast<uint32_t>(count); n-- > 0;) {
      const Node& node = graph_.nodes()[n];
      is_needed[n] = is_needed[n] || users_[n].empty() || node.kind == Node::Kind::kInput;
      if (!is_needed[n] || narrow_[n]) continue;
      for (const Value& input : node.inputs) is_needed[input.node] = true;
    }
    for (uint32_t n = 0; n < count; ++n) {
      if (!is_needed[n]) continue;
      const Node& node = graph_.nodes()[n];
      if (node.is_call("matmul") && narrow_[node.inputs[1].node] && stays[node.inputs[1].node]) {
        multiply(n);
      } else if (!narrow_[n]) {
        rewrite_.copy(n);
      } else if (!stays[n]) {
        rewrite_.replace(n, {rewrite_.graph().constant(floats_of(*narrow_[n]), node.name)});
      } else if (std::ranges::any_of(users_[n], [&](uint32_t user) {
                   return !narrow_[user] && !graph_.nodes()[user].is_call("matmul");
                 })) {
        rewrite_.replace(n, {add_narrow_weights(rewrite_.graph(), *narrow_[n], node.name)});
      }
    }
    return std::move(rewrite_).finish();
  }

 private:
  // What a node makes, if that is such weights, moved or not.
  std::optional<NarrowWeights> narrow(uint32_t n) const {
    const Node& node = graph_.nodes()[n];
    if (auto found = find_narrow_weights(graph_, {n, 0})) return found;
    if (node.inputs.empty() || !narrow_[node.inputs[0].node]) return std::nullopt;
    const NarrowWeights& from = *narrow_[node.inputs[0].node];
    if (node.is_call("reshape")) return from.has_groups() ? std::nullopt : reshaped(from, node.types[0].shape);
    if (!node.is_call("transpose")) return std::nullopt;
    std::vector<size_t> order;
    const size_t rank = from.integers->rank();
    for (const int64_t axis : node.attributes.integers("order")) order.push_back(ops::axis_of(axis, rank));
    for (size_t d = rank; order.size() < rank && d-- > 0;) order.push_back(d);  // backwards
    return transposed(from, order);
  }

  bool takes(const Node& node, uint32_t weights) const {
    const auto is_weights = [&](size_t i) { return node.inputs[i].node == weights; };
    const bool is_product = node.is_call("conv2d") || node.is_call("dense") || node.is_call("matmul");
    if (!is_product || !is_weights(1) || is_weights(0)) return false;
    if (node.inputs.size() > 2 && is_weights(2)) return false;
    const auto product = static_cast<uint32_t>(&node - graph_.nodes().data());
    const auto is_norm = [&](uint32_t user) { return graph_.nodes()[user].is_call("batch_norm"); };
    if (std::ranges::any_of(users_[product], is_norm)) return false;
    if (!node.is_call("matmul")) return is_by_output(*narrow_[weights], 0);
    return narrow_[weights]->integers->rank() == 2 && !node.attributes.flag("transpose_a") &&
           is_by_output(*narrow_[weights], node.attributes.flag("transpose_b") ? 0 : 1);
  }

  // A product of matrices by [outputs, depth].
  void multiply(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    Graph& to = rewrite_.graph();
    const NarrowWeights& weights = *narrow_[node.inputs[1].node];
    const Value by = add_narrow_weights(to, node.attributes.flag("transpose_b") ? weights : transposed(weights, {1, 0}),
                                        graph_.node(node.inputs[1]).name);
    rewrite_.replace(n, {to.call("matmul", {rewrite_.at(node.inputs[0]), by},
                                 {{"transpose_b", true}, {"dtype", node.attributes.type("dtype")}}, node.name)});
  }

  const Graph& graph_;
  std::vector<std::optional<NarrowWeights>> narrow_;
  std::vector<std::vector<uint32_t>> users_;
  Rewrite rewrite_;
};

}  // namespace

Graph narrow_weights(Graph graph) {
  return Narrower(graph).run();
}

}  // namespace vantage::graph
