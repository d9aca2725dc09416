// A perceptron for handwritten digits.
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

// Takes images [1, 784] of pixels from 0 to 1; layers of 128, 64 and 10 outputs.
graph::Graph mlp(const Weights& weights);

}  // namespace vantage::models
