#include "frontend/models/weights.h"

#include <cmath>
#include <random>

#include "base/hash.h"

namespace vantage::models {

namespace {

// Values from `low` to `high`. REQUIRES: float32.
void fill_range(Tensor& tensor, float low, float high, uint64_t seed) {
  std::mt19937_64 random(seed);
  const float step = (high - low) * 0x1p-24F;
  for (float& value : tensor.values<float>()) value = low + step * static_cast<float>(random() >> 40);
}

}  // namespace

Weights seeded_weights(uint64_t seed) {
  return [seed](const std::string& name, const TensorType& type, WeightRole role) {
    Tensor tensor(type.dtype, type.shape);
    const uint64_t own = fnv1a(name, kFnv1aStart ^ seed);
    switch (role) {
      case WeightRole::kProduct: {
        // Of [outputs, inputs, ...]: uniform values of variance 2 / fan-in.
        const float bound = std::sqrt(6.0F * static_cast<float>(type.shape[0]) / static_cast<float>(type.size()));
        fill_range(tensor, -bound, bound, own);
        break;
      }
      case WeightRole::kTransposedProduct: {
        const float bound = std::sqrt(6.0F / static_cast<float>(type.shape[0]));
        fill_range(tensor, -bound, bound, own);
        break;
      }
      case WeightRole::kEmbedding: fill_range(tensor, -1, 1, own); break;
      case WeightRole::kBias:
      case WeightRole::kMean: fill_range(tensor, -0.1F, 0.1F, own); break;
      case WeightRole::kResidualScale: fill_range(tensor, 0.2F, 0.3F, own); break;
      case WeightRole::kScale:
      case WeightRole::kVariance: fill_range(tensor, 0.8F, 1.2F, own); break;
    }
    return tensor;
  };
}

}  // namespace vantage::models
