// Residual networks. Of the large ones a stage begins with a stride in its first 3x3 convolution, also where blocks
// have a bottleneck (He et al. 2015; the stride as it is in common training recipes since, "v1.5"). ResNet-8 is that of
// MLPerf Tiny's image classification.
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

graph::Graph resnet8(const Weights& weights);
graph::Graph resnet18(const Weights& weights);
graph::Graph resnet34(const Weights& weights);
graph::Graph resnet50(const Weights& weights);

}  // namespace vantage::models
