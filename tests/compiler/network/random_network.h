// Random small networks of floats with all that convolutional nets are made of: kernels of several sizes, strides,
// residuals, limits, pooling, dense layers, channels that fill no tile; and with what transformers are: norms,
// attention in its parts, GELU.
#pragma once

#include <random>

#include "compiler/graph/evaluate.h"
#include "compiler/graph/quantize/quantize.h"

namespace vantage::test {

graph::Graph random_network(std::mt19937_64& random);
graph::Inputs random_images(const graph::Graph& graph, std::mt19937_64& random);

// By plain loops, on these inputs.
graph::Statistics statistics_of(const graph::Graph& graph, const graph::Inputs& inputs);
graph::QuantizeOptions random_quantize_options(std::mt19937_64& random);

}  // namespace vantage::test
