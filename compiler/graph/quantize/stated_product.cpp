#include "compiler/graph/quantize/stated_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "compiler/graph/quantize/weights.h"

namespace vantage::graph {

namespace {

bool is_product(const Node& node) {
  return node.is_call("conv2d") || node.is_call("dense");
}

// What int8 holds of constants that are int8 or int32.
std::shared_ptr<const Tensor> as_int8(const std::shared_ptr<const Tensor>& weights) {
  if (weights->dtype() == kInt8) return weights;
  if (weights->dtype() != kInt32) return nullptr;
  Tensor narrow(kInt8, weights->shape());
  const auto from = weights->values<int32_t>();
  const auto to = narrow.values<int8_t>();
  for (size_t e = 0; e < from.size(); ++e) {
    if (from[e] < INT8_MIN || from[e] > INT8_MAX) return nullptr;
    to[e] = static_cast<int8_t>(from[e]);
  }
  return std::make_shared<const Tensor>(std::move(narrow));
}

class ProductFinder {
 public:
  ProductFinder(const Graph& graph, const StatedValues& values, std::string& reason)
      : graph_(graph), values_(values), reason_(reason) {}

  std::optional<StatedProduct> find(Value value) {
    const Node& node = graph_.node(value);
    if (node.kind != Node::Kind::kCall || node.inputs.empty()) return std::nullopt;
    if (is_product(node)) return product(value.node);
    if (node.is_call("cast") && graph_.type(node.inputs[0]).dtype == kInt32 && node.types[0].dtype == kFloat32) {
      return find(node.inputs[0]);
    }
    if (node.is_call("reshape")) {
      auto found = find(node.inputs[0]);
      if (found) found->moves.insert(found->moves.begin(), value.node);
      return found;
    }
    if (node.is_call("multiply") || node.is_call("add")) {
      const std::shared_ptr<const Tensor>& by = graph_.node(node.inputs[1]).constant;
      if (by == nullptr || graph_.type(node.inputs[0]) != node.types[0]) return std::nullopt;
      auto found = find(node.inputs[0]);
      return found && combine(*found, node, *by) ? found : std::nullopt;
    }
    return std::nullopt;
  }

 private:
  std::optional<StatedProduct> product(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    StatedProduct found{.node = n};
    const auto x = values_.find(node.inputs[0]);
    if (!x) return none("what it multiplies is not made of integers by one scale");
    found.x = *x;
    std::vector<double> scales = {1};
    if (node.types[0].dtype == kInt32) {
      found.weight_scale = 0;  // known only with all others
      const auto& weights = graph_.node(node.inputs[1]).constant;
      if (weights == nullptr) return none("its weights are not constant");
      found.weights = as_int8(weights);
      if (found.weights == nullptr) return none("its weights less their zero points are more than int8 holds");
    } else {
      const auto weights = find_dequantized(graph_, node.inputs[1]);
      if (!weights)
        return none("its weights are floats here, or no integers of 8 bits with a scale for all or for each output");
      found.weights = weights->values;
      scales = weights->scales;
      found.weight_scale = *std::ranges::max_element(scales);
    }
    const auto outputs = static_cast<size_t>(found.weights->extent(0));
    scales.resize(outputs, scales[0]);
    for (const double scale : scales) found.scales.push_back(scale * x->scale);
    found.bias.resize(outputs, 0);
    if (node.inputs.size() > 2) {
      const auto& bias = graph_.node(node.inputs[2]).constant;
      if (bias == nullptr) return none("its bias is not constant");
      for (size_t o = 0; o < outputs; ++o) found.bias[o] = bias->number(static_cast<int64_t>(o)) / found.scales[o];
    }
    return found;
  }

  // A constant that is added, or that all is multiplied by: one, or one for each output.
  bool combine(StatedProduct& product, const Node& node, const Tensor& by) {
    const auto outputs = static_cast<int64_t>(product.scales.size());
    const bool is_conv = graph_.nodes()[product.node].is_call("conv2d");
    const size_t behind = is_conv ? 3 : 1;  // axes from the outputs' on
    const Tensor::Shape& shape = node.types[0].shape;
    const bool is_laid_out =
        shape.size() >= behind && shape[shape.size() - behind] == outputs && (!is_conv || product.moves.empty());
    const bool is_by_output =
        is_laid_out && by.size() == outputs && by.rank() >= behind && by.extent(by.rank() - behind) == outputs;
    if (by.size() != 1 && !is_by_output) return false;
    for (size_t o = 0; o < product.scales.size(); ++o) {
      const double number = by.number(by.size() == 1 ? 0 : static_cast<int64_t>(o));
      if (node.is_call("add")) {
        product.bias[o] += number / product.scales[o];
      } else if (number > 0 && std::isfinite(number)) {
        product.scales[o] *= number;
      } else {
        return false;
      }
    }
    return true;
  }

  std::nullopt_t none(const char* reason) {
    reason_ = reason;
    return std::nullopt;
  }

  const Graph& graph_;
  const StatedValues& values_;
  std::string& reason_;
};

}  // namespace

std::optional<StatedProduct> find_product(const Graph& graph, const StatedValues& values, Value value,
                                          std::string& reason) {
  return ProductFinder(graph, values, reason).find(value);
}

int64_t product_behind(const Graph& graph, Value value) {
  const Node* node = &graph.node(value);
  while (node->kind == Node::Kind::kCall && !node->inputs.empty()) {
    if (is_product(*node) || node->is_call("matmul")) return node - graph.nodes().data();
    const ops::Pattern pattern = node->op->pattern;
    const bool passes = pattern == ops::Pattern::kElementwise || pattern == ops::Pattern::kBroadcast ||
                        node->is_call("reshape") || node->is_call("transpose");
    if (!passes) return -1;
    node = &graph.node(node->inputs[0]);
  }
  return -1;
}

}  // namespace vantage::graph
