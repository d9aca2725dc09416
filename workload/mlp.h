// A perceptron of dense layers from a folder: mlp.json names its layers and their arrays, and the images of MNIST and
// the outputs that were recorded for them lie beside (examples/mnist_mlp).
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/tensor/tensor.h"
#include "compiler/ops/epilogue.h"

namespace vantage::workload {

struct DenseLayer {
  std::string name;
  Tensor weights;  // int8 [outputs][inputs]
  Tensor bias;     // int32 [1][outputs]
  ops::Epilogue epilogue;

  int64_t inputs() const { return weights.extent(1); }
  int64_t outputs() const { return weights.extent(0); }
};

// At least one layer, each taking what the one before gives, the last giving at least `classes`. Throws Error naming
// the file and the layer for anything else.
std::vector<DenseLayer> load_mlp(const std::filesystem::path& folder, int64_t classes);

struct MnistImages {
  Tensor pixels;  // int8 [image][pixel]: halved, as the network takes them
  Tensor labels;  // int16 [image]
  Tensor logits;  // int8 [image][output], as recorded
};

// The test images with what is known of them. Throws Error when they fit neither each other nor the network.
MnistImages load_mnist(const std::filesystem::path& folder, const std::vector<DenseLayer>& network);

}  // namespace vantage::workload
