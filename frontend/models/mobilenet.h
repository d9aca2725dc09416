// MobileNets of width 1 for images of 224 x 224: v1 (Howard et al. 2017) and v2 (Sandler et al. 2018).
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

graph::Graph mobilenet_v1(const Weights& weights);
graph::Graph mobilenet_v2(const Weights& weights);

}  // namespace vantage::models
