// VGG's network of 16 layers with weights (Simonyan and Zisserman 2014, configuration D).
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

graph::Graph vgg16(const Weights& weights);

}  // namespace vantage::models
