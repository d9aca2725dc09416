// What training takes the mean of: how far shares are from the classes that are right.
#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/rounded_once.h"

namespace vantage::onnx_models {

namespace {

// Of logarithms of shares, [n, classes, places...], and the right classes, [n, places...].
Value negative_log_likelihood(const Node& node, Value shares) {
  Builder& b = node.builder();
  const Value classes = node.input(1);
  const DType dtype = b.dtype(shares);
  Tensor::Shape places = b.shape(shares);
  if (places.size() < 2) fail("its shares are {}, expected [n, classes, places...]", describe(b.type(shares)));
  places.erase(places.begin() + 1);
  if (b.shape(classes) != places) {
    fail("its classes are {}, which does not fit its shares, {}", describe(b.type(classes)), describe(b.type(shares)));
  }
  const Value picked =
      b.squeeze(b.call("gather_elements", {shares, b.unsqueeze(classes, 1)}, {{"axis", int64_t{1}}}), 1);
  Value loss = b.call("negative", {picked});
  std::optional<Value> weights;
  if (node.has(2)) {
    if (b.rank(node.input(2)) != 1) fail("its weights are {}, expected [classes]", describe(b.type(node.input(2))));
    weights = b.call("gather", {b.cast(node.input(2), dtype), classes}, {{"axis", int64_t{0}}});
    loss = b.multiply(loss, *weights);
  }
  if (node.has_attribute("ignore_index")) {
    Tensor ignored(b.dtype(classes), {});
    ignored.set_integer(0, node.integer("ignore_index"));
    const Value is_ignored = b.call("equal", {classes, b.constant(std::move(ignored))});
    const Value zero = b.scalar(dtype, 0);
    loss = b.call("where", {is_ignored, zero, loss});
    weights = b.call("where", {is_ignored, zero, weights.value_or(b.scalar(dtype, 1))});
  }
  const std::string reduction = node.text("reduction", "mean");
  if (reduction == "none") return loss;
  if (reduction != "sum" && reduction != "mean") fail("its reduction is '{}', expected none, sum or mean", reduction);
  if (reduction == "mean" && !weights) return b.fold("mean", loss, {}, false);
  const Value sum = b.fold("sum", loss, {}, false);
  return reduction == "sum" ? sum : b.divide(sum, b.fold("sum", *weights, {}, false));
}

std::vector<Value> softmax_cross_entropy(const Node& node) {
  const Value shares = node.builder().call("log_softmax", {node.input(0)}, {{"axis", int64_t{1}}});
  return {negative_log_likelihood(node, shares), shares};
}

}  // namespace

OperatorFamily loss_family() {
  return {{"NegativeLogLikelihoodLoss",
           rounded_once([](const Node& node) { return std::vector{negative_log_likelihood(node, node.input(0))}; })},
          {"SoftmaxCrossEntropyLoss", rounded_once(softmax_cross_entropy)}};
}

}  // namespace vantage::onnx_models
