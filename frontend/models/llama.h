// Decoders after Llama (Touvron et al. 2023), with the names of weights that Hugging Face's checkpoints have.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/graph/graph.h"
#include "frontend/models/weights.h"

namespace vantage::models {

struct LlamaShape {
  int64_t vocabulary, layers, width, hidden;
  int64_t heads, key_heads;  // each of width / heads elements; those of keys and values serve as many of queries
};

// So many tokens behind those that a cache of `context` places knows: one is a step of decoding, several are the
// beginning of a text.
//
// Takes `input_ids`, int64 [1, tokens]; `position`, int64 [1]: the place of the first; and of each layer
// `past.N.key` and `past.N.value`, [1, key heads, context, elements]. Gives the last token's logits [1, vocabulary],
// and the caches with what the tokens add to them: `present.N.key` and `present.N.value`. Throws Error for more tokens
// than places.
graph::Graph llama(std::string name, const Weights& weights, const LlamaShape& shape, int64_t tokens, int64_t context);

// TinyLlama's shape, of 1.1 billion weights (Zhang et al. 2024). Those of products are kept as int8, with a scale for
// each output, as they come: 1.1 GB.
graph::Graph llama_1b(const Weights& weights, int64_t tokens, int64_t context);

}  // namespace vantage::models
