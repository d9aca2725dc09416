// Encoders of text after BERT (Devlin et al. 2018), with the names of weights that Hugging Face's checkpoints have.
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

// BERT-base. Takes `input_ids`, `attention_mask` (1: a token, 0: nothing) and `token_type_ids`, int64 [1, sequence];
// gives the last layer's rows [1, sequence, 768], and the first one through the pooler [1, 768].
graph::Graph bert_base(const Weights& weights, int64_t sequence);

// all-MiniLM-L6-v2, sentences as vectors (Wang et al. 2020; Reimers and Gurevych 2019): six layers, the mean of their
// rows, and of length 1. Takes `input_ids` and `attention_mask`; gives [1, 384].
graph::Graph minilm(const Weights& weights, int64_t sequence);

}  // namespace vantage::models
