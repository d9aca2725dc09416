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
  kProduct,            // [outputs, inputs, ...]
  kTransposedProduct,  // [inputs, outputs]
  kEmbedding,
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

// From a folder, where NAME.npy has the tensor, points of the name as underscores; or from a file .safetensors or .npz
// (base/tensor/tensor_archive.h), where all names may begin with one that the model does not say, as
// "bert.pooler.dense.bias". Narrower floats of a file are widened. What is read is not kept. Throw Error, naming the
// file, the tensor and its type, when it is missing, has another type, or values that are no numbers.
Weights weights_from(const std::filesystem::path& path);

}  // namespace vantage::models
