#include "frontend/models/lenet.h"

#include "frontend/models/model_builder.h"

namespace vantage::models {

graph::Graph lenet(const Weights& weights) {
  ModelBuilder m("lenet", weights);
  Value x = m.input("image", {1, 1, 28, 28});
  x = m.relu(m.conv(x, "conv1", 6, {.kernel = 5, .pad = 2, .bias = true}), "conv1.relu");
  x = m.max_pool(x, "pool1", 2, 2);
  x = m.relu(m.conv(x, "conv2", 16, {.kernel = 5, .pad = 0, .bias = true}), "conv2.relu");
  x = m.flatten(m.max_pool(x, "pool2", 2, 2), "flat");
  x = m.relu(m.dense(x, "fc1", 120), "fc1.relu");
  x = m.relu(m.dense(x, "fc2", 84), "fc2.relu");
  const Value logits = m.dense(x, "fc3", 10);
  return std::move(m).finish_classifier(logits);
}

}  // namespace vantage::models
