// Where a model's weights come from.
//
// Thread safety: values and functions without state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/tensor/type.h"

namespace vantage::models {

// What a tensor of weights is for, which says how large random values may be.
enum class WeightRole : uint8_t {
  kProduct,
  kBias,
  kScale,
  kResidualScale,  // of what is added to a block's input
  kMean,
  kVariance,
};

// The tensor of this name and type.
using Weights = std::function<Tensor(const std::string& name, const TensorType& type, WeightRole role)>;

// Floats that depend on the seed, the name and the shape alone, the same on every platform: of products as wide as
// keeps what a layer with a ReLU gives as large as what it takes (He's rule), of the others near what changes nothing,
// with residuals a quarter as large as what they are added to.
Weights seeded_weights(uint64_t seed);

// NAME.npy in a folder, points of the name as underscores. Throw Error, naming the file, the tensor and its type, when
// it is missing or has another type.
Weights weights_from(const std::filesystem::path& folder);

}  // namespace vantage::models
