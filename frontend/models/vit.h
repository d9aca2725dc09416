// Transformers of images (Dosovitskiy et al. 2020), with the names of weights that Hugging Face's checkpoints have.
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

// ViT-tiny (Touvron et al. 2020) for images of 224 x 224, in patches of 16 x 16.
graph::Graph vit_tiny(const Weights& weights);

}  // namespace vantage::models
