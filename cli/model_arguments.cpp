#include "cli/model_arguments.h"

#include "base/error.h"
#include "frontend/images/image.h"
#include "frontend/models/models.h"

namespace vantage::cli {

graph::Inputs ModelArguments::inputs_of(const Network& network, graph::Inputs inputs) const {
  for (auto& [name, value] : files.read_inputs(network)) inputs.insert_or_assign(name, std::move(value));
  if (image.empty()) return inputs;
  if (!files.inputs.empty()) fail("--image and --input both say what {} runs on; leave one out", model);
  const NetworkTensor& input = network.tensors[network.inputs.at(0)];
  const Tensor::Shape& shape = input.type.shape;
  if (shape.size() != 4 || shape[0] != 1 || (shape[1] != 1 && shape[1] != 3)) {
    fail("--image: the input {} is {}, no picture; use --input", input.name, describe(input.type));
  }
  images::Normalization normalization;
  if (!is_onnx_file(model)) {
    const models::Model& known = models::find_model(model);
    normalization = {known.mean, known.deviation};
  }
  const Tensor pixels = images::read_image(image, static_cast<int>(shape[1]));
  inputs.insert_or_assign(input.name, images::as_input(pixels, shape, normalization));
  return inputs;
}

}  // namespace vantage::cli
