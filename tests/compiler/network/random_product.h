// Random graphs of one product.
//
// Thread safety: functions without state.
#pragma once

#include <random>

#include "compiler/graph/graph.h"

namespace vantage::test {

Tensor random_floats(std::mt19937_64& random, Tensor::Shape shape);

// A convolution in one group with something behind it, or nothing; its kernels are a constant or an input.
graph::Graph random_convolution(std::mt19937_64& random);
// The same, or a product of matrices.
graph::Graph random_product(std::mt19937_64& random);

}  // namespace vantage::test
