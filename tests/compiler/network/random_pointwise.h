// Random graphs of integers that are made element by element of one or two activations.
#pragma once

#include <random>

#include "compiler/graph/evaluate.h"

namespace vantage::test {

// Inputs "a" and perhaps "b" of int8, of one shape; one output of int8. Most of them are limited so that nothing wraps.
graph::Graph random_pointwise(std::mt19937_64& random);

}  // namespace vantage::test
