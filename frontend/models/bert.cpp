#include "frontend/models/bert.h"

#include <fmt/format.h>

#include "base/error.h"
#include "frontend/models/transformer.h"

namespace vantage::models {

namespace {

using ops::Integers;

struct BertShape {
  int64_t layers, width, heads, hidden;
};

class Bert {
 public:
  Bert(std::string name, const Weights& weights, int64_t sequence, const BertShape& shape)
      : m_(std::move(name), weights), sequence_(sequence), shape_(shape) {
    if (sequence > kPositions) fail("sequence is {}, but BERT's positions end at {}", sequence, kPositions);
  }

  // Without token types all tokens are of the first.
  void embed(bool has_token_types) {
    auto& g = m_.graph();
    const Value tokens = m_.input("input_ids", {1, sequence_}, kInt64);
    mask_ = g.call("cast", {m_.input("attention_mask", {1, sequence_}, kInt64)}, {{"dtype", kFloat32}}, "mask");
    const Value words = embedding(m_, tokens, "embeddings.word_embeddings", kVocabulary, shape_.width);
    const Value types = has_token_types ? m_.input("token_type_ids", {1, sequence_}, kInt64)
                                        : g.constant(Tensor(kInt64, {1, sequence_}), "token_type_ids");
    const Value of_types = embedding(m_, types, "embeddings.token_type_embeddings", 2, shape_.width);
    const Value places =
        embedding(m_, counted(m_, sequence_, "places"), "embeddings.position_embeddings", kPositions, shape_.width);
    x_ = g.call("add", {g.call("add", {words, of_types}), places}, {}, "embeddings");
    x_ = layer_norm(m_, x_, "embeddings.LayerNorm", kEpsilon);
    // Of tokens that are none no query sees the keys.
    const Value absent = g.call("subtract", {number(m_, 1, "one"), mask_}, {}, "absent");
    const Value scores = g.call("multiply", {absent, number(m_, kUnseen, "unseen")}, {}, "mask.scores");
    scores_ = g.call("reshape", {scores}, {{"shape", Integers{1, 1, 1, sequence_}}}, "mask.of_keys");
  }

  void layer(int64_t number) {
    auto& g = m_.graph();
    const std::string name = fmt::format("encoder.layer.{}.", number), attention = name + "attention.";
    const auto heads = [&](const char* of) {
      const std::string from = attention + "self." + of;
      return split_heads(m_, m_.dense(x_, from, shape_.width), shape_.heads, from + ".heads");
    };
    const Value query = heads("query"), key = heads("key"), value = heads("value");
    Value y = g.call("attention", {query, key, value, scores_}, {}, attention + "self");
    y = m_.dense(merge_heads(m_, y, attention + "self.rows"), attention + "output.dense", shape_.width);
    x_ = layer_norm(m_, g.call("add", {y, x_}, {}, attention + "output.sum"), attention + "output.LayerNorm", kEpsilon);
    y = m_.dense(x_, name + "intermediate.dense", shape_.hidden);
    y = m_.dense(g.call("gelu", {y}, {}, name + "intermediate"), name + "output.dense", shape_.width);
    x_ = layer_norm(m_, g.call("add", {y, x_}, {}, name + "output.sum"), name + "output.LayerNorm", kEpsilon);
  }

  void encode(bool has_token_types) {
    embed(has_token_types);
    for (int64_t i = 0; i < shape_.layers; ++i) layer(i);
  }

  graph::Graph with_pooler() && {
    encode(true);
    auto& g = m_.graph();
    Value first = g.call("slice", {x_}, {{"begin", Integers{0, 0, 0}}, {"end", Integers{1, 1, shape_.width}}}, "first");
    first = g.call("reshape", {first}, {{"shape", Integers{1, shape_.width}}}, "first.row");
    const Value pooled = g.call("tanh", {m_.dense(first, "pooler.dense", shape_.width)}, {}, "pooled");
    g.set_outputs({x_, pooled});
    return std::move(g);
  }

  // The mean of the tokens' rows, of length 1.
  graph::Graph with_mean() && {
    encode(false);
    auto& g = m_.graph();
    const Value weights = g.call("reshape", {mask_}, {{"shape", Integers{1, sequence_, 1}}}, "mask.rows");
    const auto sum_of = [&](Value x, int64_t axis, const std::string& name) {
      return g.call("sum", {x}, {{"axes", Integers{axis}}, {"keep_axes", axis != 1}}, name);
    };
    const Value sums = sum_of(g.call("multiply", {x_, weights}, {}, "rows.present"), 1, "rows.sum");
    const Value count = g.call("maximum", {sum_of(weights, 1, "rows.count"), number(m_, 1e-9, "least")}, {}, "count");
    const Value mean = g.call("divide", {sums, count}, {}, "mean");
    const Value square = sum_of(g.call("multiply", {mean, mean}, {}, "mean.square"), -1, "mean.squares");
    const Value length = g.call("sqrt", {square}, {}, "mean.length");
    g.set_outputs({g.call("divide", {mean, length}, {}, "embedding")});
    return std::move(g);
  }

 private:
  static constexpr int64_t kVocabulary = 30522, kPositions = 512;
  static constexpr double kEpsilon = 1e-12;

  ModelBuilder m_;
  int64_t sequence_;
  BertShape shape_;
  Value mask_, scores_, x_;  // mask: 1 of tokens, float32
};

}  // namespace

graph::Graph bert_base(const Weights& weights, int64_t sequence) {
  return Bert("bert_base", weights, sequence, {.layers = 12, .width = 768, .heads = 12, .hidden = 3072}).with_pooler();
}

graph::Graph minilm(const Weights& weights, int64_t sequence) {
  return Bert("minilm", weights, sequence, {.layers = 6, .width = 384, .heads = 12, .hidden = 1536}).with_mean();
}

}  // namespace vantage::models
