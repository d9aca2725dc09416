#include "frontend/models/vgg.h"

#include <fmt/format.h>

#include "frontend/models/model_builder.h"

namespace vantage::models {

graph::Graph vgg16(const Weights& weights) {
  ModelBuilder m("vgg16", weights);
  Value x = m.input("image", {1, 3, 224, 224});
  const std::pair<int, int64_t> stages[] = {{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}};  // layers of channels
  int stage = 0;
  for (const auto& [layers, channels] : stages) {
    ++stage;
    for (int i = 1; i <= layers; ++i) {
      const std::string name = fmt::format("conv{}_{}", stage, i);
      x = m.relu(m.conv(x, name, channels, {.bias = true}), name + ".relu");
    }
    x = m.max_pool(x, fmt::format("pool{}", stage), 2, 2);
  }
  x = m.flatten(x, "flat");
  x = m.relu(m.dense(x, "fc1", 4096), "fc1.relu");
  x = m.relu(m.dense(x, "fc2", 4096), "fc2.relu");
  const Value logits = m.dense(x, "logits", 1000);
  return std::move(m).finish_classifier(logits);
}

}  // namespace vantage::models
