#include "frontend/models/mlp.h"

#include "frontend/models/model_builder.h"

namespace vantage::models {

graph::Graph mlp(const Weights& weights) {
  ModelBuilder m("mlp", weights);
  Value x = m.input("image", {1, 784});
  x = m.relu(m.dense(x, "fc1", 128), "fc1.relu");
  x = m.relu(m.dense(x, "fc2", 64), "fc2.relu");
  const Value logits = m.dense(x, "fc3", 10);
  return std::move(m).finish_classifier(logits);
}

}  // namespace vantage::models
