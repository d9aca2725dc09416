// A graph in the making, layer by layer, with weights by the layers' names.
//
// Thread safety: none.
#pragma once

#include <string>

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

using graph::Value;

// Of a convolution: kernels are square, and padding is the same on all sides.
struct ConvOptions {
  int64_t kernel = 3, stride = 1, pad = 1;
  int64_t groups = 1;
  bool bias = false;
};

class ModelBuilder {
 public:
  ModelBuilder(std::string name, const Weights& weights) : graph_(std::move(name)), weights_(weights) {}

  Value input(std::string name, Tensor::Shape shape, DType dtype = kFloat32) {
    return graph_.input(std::move(name), {dtype, std::move(shape)});
  }
  // NAME.weight [outputs, channels / groups, kernel, kernel], and NAME.bias.
  Value conv(Value x, const std::string& name, int64_t outputs, const ConvOptions& options);
  // NAME.gamma, NAME.beta, NAME.mean, NAME.variance.
  Value batch_norm(Value x, const std::string& name, WeightRole scale = WeightRole::kScale);
  // The convolution has the name, its norm NAME.norm.
  Value conv_norm(Value x, const std::string& name, int64_t outputs, const ConvOptions& options,
                  WeightRole scale = WeightRole::kScale);
  // Weights of products from here on are kept as int8, with a scale for each output: a quarter of what floats take.
  void keep_integer_weights() { keeps_integers_ = true; }

  // NAME.weight [outputs, inputs], NAME.bias; of products nothing is added.
  Value dense(Value x, const std::string& name, int64_t outputs);
  Value product(Value x, const std::string& name, int64_t outputs);
  Value relu(Value x, const std::string& name) { return graph_.call("relu", {x}, {}, name); }
  Value relu6(Value x, const std::string& name) { return graph_.call("clip", {x}, {{"min", 0.0}, {"max", 6.0}}, name); }
  // The greatest, or the mean, of windows.
  Value max_pool(Value x, const std::string& name, int64_t kernel, int64_t stride, int64_t pad = 0);
  Value global_mean(Value x, const std::string& name) { return graph_.call("global_avg_pool2d", {x}, {}, name); }
  Value flatten(Value x, const std::string& name);

  // An array of the weights.
  Value weight(const std::string& name, Tensor::Shape shape, WeightRole role);
  // A constant of int64 [n].
  Value integers(const ops::Integers& values, const std::string& name);

  // With the shares of classes, which logits become.
  graph::Graph finish_classifier(Value logits) &&;

  graph::Graph& graph() { return graph_; }
  int64_t channels(Value x) const { return graph_.type(x).shape.at(1); }

 private:
  Value product_weight(const std::string& name, Tensor::Shape shape);

  graph::Graph graph_;
  const Weights& weights_;
  bool keeps_integers_ = false;
};

}  // namespace vantage::models
