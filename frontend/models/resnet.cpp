#include "frontend/models/resnet.h"

#include <fmt/format.h>

#include <array>

#include "frontend/models/model_builder.h"

namespace vantage::models {

namespace {

// What is added to what a block computes: its input, in the form of its output.
Value shortcut(ModelBuilder& m, Value x, const std::string& name, int64_t outputs, int64_t stride) {
  if (m.channels(x) == outputs && stride == 1) return x;
  return m.conv_norm(x, name + ".shortcut", outputs, {.kernel = 1, .stride = stride, .pad = 0});
}

Value basic_block(ModelBuilder& m, Value x, const std::string& name, int64_t channels, int64_t stride) {
  Value y = m.relu(m.conv_norm(x, name + ".1", channels, {.stride = stride}), name + ".relu1");
  y = m.conv_norm(y, name + ".2", channels, {}, WeightRole::kResidualScale);
  y = m.graph().call("add", {y, shortcut(m, x, name, channels, stride)}, {}, name + ".add");
  return m.relu(y, name + ".relu2");
}

Value bottleneck(ModelBuilder& m, Value x, const std::string& name, int64_t channels, int64_t stride) {
  constexpr int64_t kExpansion = 4;
  const ConvOptions point{.kernel = 1, .pad = 0};
  Value y = m.relu(m.conv_norm(x, name + ".1", channels, point), name + ".relu1");
  y = m.relu(m.conv_norm(y, name + ".2", channels, {.stride = stride}), name + ".relu2");
  y = m.conv_norm(y, name + ".3", kExpansion * channels, point, WeightRole::kResidualScale);
  y = m.graph().call("add", {y, shortcut(m, x, name, kExpansion * channels, stride)}, {}, name + ".add");
  return m.relu(y, name + ".relu3");
}

using Block = Value(ModelBuilder&, Value, const std::string&, int64_t channels, int64_t stride);

graph::Graph resnet(const std::string& name, const Weights& weights, Block* block, std::array<int, 4> blocks) {
  ModelBuilder m(name, weights);
  Value x = m.input("image", {1, 3, 224, 224});
  x = m.relu(m.conv_norm(x, "conv1", 64, {.kernel = 7, .stride = 2, .pad = 3}), "conv1.relu");
  x = m.max_pool(x, "pool1", 3, 2, 1);
  int64_t channels = 64;
  for (size_t stage = 0; stage < blocks.size(); ++stage, channels *= 2) {
    for (int i = 0; i < blocks[stage]; ++i) {
      x = block(m, x, fmt::format("stage{}.{}", stage + 1, i + 1), channels, stage > 0 && i == 0 ? 2 : 1);
    }
  }
  const Value logits = m.dense(m.flatten(m.global_mean(x, "pool2"), "flat"), "logits", 1000);
  return std::move(m).finish_classifier(logits);
}

}  // namespace

graph::Graph resnet18(const Weights& weights) {
  return resnet("resnet18", weights, basic_block, {2, 2, 2, 2});
}
graph::Graph resnet34(const Weights& weights) {
  return resnet("resnet34", weights, basic_block, {3, 4, 6, 3});
}
graph::Graph resnet50(const Weights& weights) {
  return resnet("resnet50", weights, bottleneck, {3, 4, 6, 3});
}

graph::Graph resnet8(const Weights& weights) {
  ModelBuilder m("resnet8", weights);
  Value x = m.input("image", {1, 3, 32, 32});
  x = m.relu(m.conv_norm(x, "conv1", 16, {.bias = true}), "conv1.relu");
  int64_t channels = 16;
  for (int stage = 1; stage <= 3; ++stage, channels *= 2) {
    const std::string name = fmt::format("stage{}", stage);
    const int64_t stride = stage == 1 ? 1 : 2;
    Value y = m.relu(m.conv_norm(x, name + ".1", channels, {.stride = stride, .bias = true}), name + ".relu1");
    y = m.conv_norm(y, name + ".2", channels, {.bias = true}, WeightRole::kResidualScale);
    if (stride > 1)
      x = m.conv(x, name + ".shortcut", channels, {.kernel = 1, .stride = stride, .pad = 0, .bias = true});
    x = m.relu(m.graph().call("add", {y, x}, {}, name + ".add"), name + ".relu2");
  }
  const Value logits = m.dense(m.flatten(m.global_mean(x, "pool"), "flat"), "logits", 10);
  return std::move(m).finish_classifier(logits);
}

}  // namespace vantage::models
