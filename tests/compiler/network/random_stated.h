// Random small networks that state their quantization, in the forms that ONNX files have: floats between integers, or
// sums of integers that are scaled; int8 and uint8, zero points, weights with one scale or one for each output.
#pragma once

#include <random>

#include "compiler/graph/evaluate.h"

namespace vantage::test {

// Images of floats come in, and 8-bit integers go out, behind so many layers.
graph::Graph random_stated_network(std::mt19937_64& random, int layers);
graph::Inputs random_stated_inputs(const graph::Graph& graph, std::mt19937_64& random);

}  // namespace vantage::test
