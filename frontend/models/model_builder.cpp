#include "frontend/models/model_builder.h"

#include <algorithm>

#include "compiler/graph/quantize/weights.h"

namespace vantage::models {

using ops::Integers;

Value ModelBuilder::weight(const std::string& name, Tensor::Shape shape, WeightRole role) {
  return graph_.constant(weights_(name, {kFloat32, std::move(shape)}, role), name);
}

Value ModelBuilder::product_weight(const std::string& name, Tensor::Shape shape) {
  if (!keeps_integers_) return weight(name, std::move(shape), WeightRole::kProduct);
  const Tensor floats = weights_(name, {kFloat32, std::move(shape)}, WeightRole::kProduct);
  graph::QuantizeOptions options;
  options.scaling = graph::Scaling::kMultiplyShift;
  options.per_channel = true;
  return graph::dequantized(graph_, graph::quantize_weights(floats, options), name);
}

Value ModelBuilder::integers(const Integers& values, const std::string& name) {
  Tensor tensor(kInt64, {static_cast<int64_t>(values.size())});
  std::ranges::copy(values, tensor.values<int64_t>().begin());
  return graph_.constant(std::move(tensor), name);
}

Value ModelBuilder::conv(Value x, const std::string& name, int64_t outputs, const ConvOptions& o) {
  std::vector<Value> inputs = {
      x, weight(name + ".weight", {outputs, channels(x) / o.groups, o.kernel, o.kernel}, WeightRole::kProduct)};
  if (o.bias) inputs.push_back(weight(name + ".bias", {outputs}, WeightRole::kBias));
  return graph_.call("conv2d", std::move(inputs),
                     {{"strides", Integers{o.stride, o.stride}},
                      {"padding", Integers{o.pad, o.pad, o.pad, o.pad}},
                      {"groups", o.groups}},
                     name);
}

Value ModelBuilder::batch_norm(Value x, const std::string& name, WeightRole scale) {
  const Tensor::Shape shape = {channels(x)};
  std::vector<Value> inputs = {x};
  inputs.push_back(weight(name + ".gamma", shape, scale));
  inputs.push_back(weight(name + ".beta", shape, WeightRole::kBias));
  inputs.push_back(weight(name + ".mean", shape, WeightRole::kMean));
  inputs.push_back(weight(name + ".variance", shape, WeightRole::kVariance));
  return graph_.call("batch_norm", std::move(inputs), {}, name);
}

Value ModelBuilder::conv_norm(Value x, const std::string& name, int64_t outputs, const ConvOptions& options,
                              WeightRole scale) {
  return batch_norm(conv(x, name, outputs, options), name + ".norm", scale);
}

Value ModelBuilder::dense(Value x, const std::string& name, int64_t outputs) {
  const int64_t inputs = graph_.type(x).shape.back();
  const Value weights = product_weight(name + ".weight", {outputs, inputs});
  return graph_.call("dense", {x, weights, weight(name + ".bias", {outputs}, WeightRole::kBias)}, {}, name);
}

Value ModelBuilder::product(Value x, const std::string& name, int64_t outputs) {
  const int64_t inputs = graph_.type(x).shape.back();
  return graph_.call("dense", {x, product_weight(name + ".weight", {outputs, inputs})}, {}, name);
}

Value ModelBuilder::max_pool(Value x, const std::string& name, int64_t kernel, int64_t stride, int64_t pad) {
  return graph_.call("max_pool2d", {x},
                     {{"kernel", Integers{kernel, kernel}},
                      {"strides", Integers{stride, stride}},
                      {"padding", Integers{pad, pad, pad, pad}}},
                     name);
}

Value ModelBuilder::flatten(Value x, const std::string& name) {
  return graph_.call("reshape", {x}, {{"shape", Integers{graph_.type(x).shape[0], -1}}}, name);
}

graph::Graph ModelBuilder::finish_classifier(Value logits) && {
  graph_.set_outputs({graph_.call("softmax", {logits}, {}, "classes")});
  return std::move(graph_);
}

}  // namespace vantage::models
