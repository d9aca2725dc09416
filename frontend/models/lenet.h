// A convolutional network for handwritten digits, after LeCun et al. 1998, with ReLUs and maxima.
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

// Takes images [1, 1, 28, 28] of pixels from 0 to 1.
graph::Graph lenet(const Weights& weights);

}  // namespace vantage::models
