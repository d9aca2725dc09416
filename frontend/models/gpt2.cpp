#include "frontend/models/gpt2.h"

#include <fmt/format.h>

#include "base/error.h"
#include "frontend/models/transformer.h"

namespace vantage::models {

namespace {

using ops::Integers;

class Gpt2 {
 public:
  Gpt2(const Weights& weights, int64_t sequence) : m_("gpt2", weights), g_(m_.graph()), sequence_(sequence) {
    if (sequence > kPositions) fail("sequence is {}, but GPT-2's positions end at {}", sequence, kPositions);
  }

  graph::Graph build() && {
    const Value words = embedding(m_, m_.input("input_ids", {1, sequence_}, kInt64), "wte", kVocabulary, kWidth);
    const Value places = embedding(m_, counted(m_, sequence_, "places"), "wpe", kPositions, kWidth);
    Value x = g_.call("add", {words, places}, {}, "embeddings");
    for (int64_t i = 0; i < kLayers; ++i) x = layer(x, fmt::format("h.{}.", i));
    x = g_.call("slice", {x}, {{"begin", Integers{0, sequence_ - 1, 0}}, {"end", Integers{1, sequence_, kWidth}}},
                "last");
    x = layer_norm(m_, g_.call("reshape", {x}, {{"shape", Integers{1, kWidth}}}, "last.row"), "ln_f", kEpsilon);
    // What a token is embedded by is what it is told by.
    g_.set_outputs({g_.call("dense", {x, g_.node(words).inputs[0]}, {}, "logits")});
    return std::move(g_);
  }

 private:
  static constexpr int64_t kVocabulary = 50257, kPositions = 1024, kLayers = 12, kWidth = 768, kHeads = 12;
  static constexpr double kEpsilon = 1e-5;

  // Weights lie there by their inputs: NAME.weight [inputs, outputs].
  Value product(Value x, const std::string& name, int64_t outputs) {
    const Value weight =
        m_.weight(name + ".weight", {g_.type(x).shape.back(), outputs}, WeightRole::kTransposedProduct);
    const Value sums = g_.call("matmul", {x, weight}, {}, name + ".sums");
    return g_.call("add", {sums, m_.weight(name + ".bias", {outputs}, WeightRole::kBias)}, {}, name);
  }

  Value layer(Value x, const std::string& name) {
    const Value all = product(layer_norm(m_, x, name + "ln_1", kEpsilon), name + "attn.c_attn", 3 * kWidth);
    const auto heads = [&](int64_t part, const char* of) {
      const std::string from = name + "attn." + of;
      const Integers begin = {0, 0, part * kWidth}, end = {1, sequence_, (part + 1) * kWidth};
      const Value mine = g_.call("slice", {all}, {{"begin", begin}, {"end", end}}, from);
      return split_heads(m_, mine, kHeads, from + ".heads");
    };
    const Value query = heads(0, "query"), key = heads(1, "key"), value = heads(2, "value");
    Value y = g_.call("attention", {query, key, value}, {{"causal", true}}, name + "attn");
    y = product(merge_heads(m_, y, name + "attn.rows"), name + "attn.c_proj", kWidth);
    x = g_.call("add", {y, x}, {}, name + "attn.sum");
    y = product(layer_norm(m_, x, name + "ln_2", kEpsilon), name + "mlp.c_fc", 4 * kWidth);
    y = product(g_.call("gelu_tanh", {y}, {}, name + "mlp"), name + "mlp.c_proj", kWidth);
    return g_.call("add", {y, x}, {}, name + "mlp.sum");
  }

  ModelBuilder m_;
  graph::Graph& g_;
  int64_t sequence_;
};

}  // namespace

graph::Graph gpt2(const Weights& weights, int64_t sequence) {
  return Gpt2(weights, sequence).build();
}

}  // namespace vantage::models
