// GPT-2 (Radford et al. 2019), with the names of weights that Hugging Face's checkpoints have.
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

// The smallest, of 124 million weights. Takes `input_ids`, int64 [1, sequence]; gives the last one's logits [1, 50257].
graph::Graph gpt2(const Weights& weights, int64_t sequence);

}  // namespace vantage::models
