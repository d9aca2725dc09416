#include "frontend/models/mobilenet.h"

#include <fmt/format.h>

#include "frontend/models/model_builder.h"

namespace vantage::models {

namespace {

constexpr ConvOptions kPoint{.kernel = 1, .pad = 0};

Value depthwise(ModelBuilder& m, Value x, const std::string& name, int64_t stride) {
  const int64_t channels = m.channels(x);
  return m.relu6(m.conv_norm(x, name, channels, {.stride = stride, .groups = channels}), name + ".relu");
}

graph::Graph classified(ModelBuilder m, Value x) {
  const Value logits = m.dense(m.flatten(m.global_mean(x, "pool"), "flat"), "logits", 1000);
  return std::move(m).finish_classifier(logits);
}

}  // namespace

graph::Graph mobilenet_v1(const Weights& weights) {
  ModelBuilder m("mobilenet", weights);
  Value x = m.input("image", {1, 3, 224, 224});
  x = m.relu6(m.conv_norm(x, "conv1", 32, {.stride = 2}), "conv1.relu");
  const std::pair<int64_t, int64_t> blocks[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                                                {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
  int number = 0;
  for (const auto& [channels, stride] : blocks) {
    const std::string name = fmt::format("block{}", ++number);
    x = depthwise(m, x, name + ".depthwise", stride);
    x = m.relu6(m.conv_norm(x, name + ".pointwise", channels, kPoint), name + ".pointwise.relu");
  }
  return classified(std::move(m), x);
}

graph::Graph mobilenet_v2(const Weights& weights) {
  ModelBuilder m("mobilenet_v2", weights);
  Value x = m.input("image", {1, 3, 224, 224});
  x = m.relu6(m.conv_norm(x, "conv1", 32, {.stride = 2}), "conv1.relu");
  struct Stage {
    int64_t expansion, channels;
    int blocks;
    int64_t stride;
  };
  constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                               {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  int number = 0;
  for (const Stage& stage : kStages) {
    for (int i = 0; i < stage.blocks; ++i) {
      const std::string name = fmt::format("block{}", ++number);
      const int64_t stride = i == 0 ? stage.stride : 1;
      Value y = x;
      if (stage.expansion > 1) {
        y = m.conv_norm(y, name + ".expand", stage.expansion * m.channels(x), kPoint);
        y = m.relu6(y, name + ".expand.relu");
      }
      y = depthwise(m, y, name + ".depthwise", stride);
      const bool is_residual = stride == 1 && m.channels(x) == stage.channels;
      y = m.conv_norm(y, name + ".project", stage.channels, kPoint,
                      is_residual ? WeightRole::kResidualScale : WeightRole::kScale);
      x = is_residual ? m.graph().call("add", {y, x}, {}, name + ".add") : y;
    }
  }
  x = m.relu6(m.conv_norm(x, "conv2", 1280, kPoint), "conv2.relu");
  return classified(std::move(m), x);
}

}  // namespace vantage::models
