#include "frontend/models/llama.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "frontend/models/transformer.h"

namespace vantage::models {

namespace {

using ops::Integers;

class Llama {
 public:
  Llama(std::string name, const Weights& weights, const LlamaShape& shape, int64_t tokens, int64_t context)
      : m_(std::move(name), weights), g_(m_.graph()), shape_(shape), tokens_(tokens), context_(context) {
    if (tokens > context) fail("tokens are {}, but the context has {} places", tokens, context);
  }

  Llama&& with_integer_weights() && {
    m_.keep_integer_weights();
    return std::move(*this);
  }

  graph::Graph build() && {
    const Value tokens = m_.input("input_ids", {1, tokens_}, kInt64);
    place(m_.input("position", {1}, kInt64));
    Value x = embedding(m_, tokens, "model.embed_tokens", shape_.vocabulary, shape_.width);
    std::vector<Value> caches;
    for (int64_t i = 0; i < shape_.layers; ++i) x = layer(x, i, caches);
    x = g_.call("slice", {x}, {{"begin", Integers{0, tokens_ - 1, 0}}, {"end", Integers{1, tokens_, shape_.width}}},
                "last");
    x = rms_norm(m_, g_.call("reshape", {x}, {{"shape", Integers{1, shape_.width}}}, "last.row"), "model.norm",
                 kEpsilon);
    std::vector<Value> outputs = {m_.product(x, "lm_head", shape_.vocabulary)};
    outputs.insert(outputs.end(), caches.begin(), caches.end());
    g_.set_outputs(std::move(outputs));
    return std::move(g_);
  }

 private:
  static constexpr double kEpsilon = 1e-5, kBase = 10000;

  int64_t depth() const { return shape_.width / shape_.heads; }

  // What depends on the tokens' places alone.
  void place(Value position) {
    const Value of_tokens = g_.call("add", {counted(m_, tokens_, "tokens"), position}, {}, "places");
    const Value of_keys = counted(m_, context_, "keys");
    // How each pair of a head's elements is turned at each place.
    Tensor cosines(kFloat32, {context_, depth() / 2}), sines(kFloat32, {context_, depth() / 2});
    for (int64_t e = 0; e < cosines.size(); ++e) {
      const auto at = static_cast<double>(e / (depth() / 2)), pair = static_cast<double>(e % (depth() / 2));
      const double angle = at * std::pow(kBase, -2 * pair / static_cast<double>(depth()));
      cosines.set_number(e, std::cos(angle));
      sines.set_number(e, std::sin(angle));
    }
    cosines_ = g_.call("gather", {g_.constant(std::move(cosines), "cosines"), of_tokens}, {}, "places.cosines");
    sines_ = g_.call("gather", {g_.constant(std::move(sines), "sines"), of_tokens}, {}, "places.sines");
    // A token sees itself and those before.
    const Value rows = g_.call("reshape", {of_tokens}, {{"shape", Integers{tokens_, 1}}}, "places.rows");
    const Value seen = g_.call("less_equal", {of_keys, rows}, {}, "seen");
    mask_ = g_.call("where", {seen, number(m_, 0, "zero"), number(m_, kUnseen, "unseen")}, {}, "mask");
    // Which token a place of the cache is for, and whether it is.
    from_ = g_.call("subtract", {of_keys, position}, {}, "keys.tokens");
    const Value begun = g_.call("greater_equal", {of_keys, position}, {}, "keys.begun");
    const Value end = g_.call("add", {position, m_.integers({tokens_}, "tokens.count")}, {}, "keys.end");
    const Value is_new = g_.call("logical_and", {begun, g_.call("less", {of_keys, end}, {}, "keys.ended")}, {}, "new");
    is_new_ = g_.call("reshape", {is_new}, {{"shape", Integers{context_, 1}}}, "new.rows");
  }

  // The cache with what the tokens add to it.
  Value cached(Value heads, const std::string& of) {
    const Value past = m_.input("past." + of, {1, shape_.key_heads, context_, depth()});
    const Value spread = g_.call("gather", {heads, from_}, {{"axis", int64_t{2}}}, "new." + of);
    return g_.call("where", {is_new_, spread, past}, {}, "present." + of);
  }

  Value layer(Value x, int64_t n, std::vector<Value>& caches) {
    const std::string name = fmt::format("model.layers.{}.", n), self = name + "self_attn.";
    const Value in = rms_norm(m_, x, name + "input_layernorm", kEpsilon);
    const auto heads = [&](const char* of, int64_t count) {
      const std::string from = self + of + "_proj";
      return split_heads(m_, m_.product(in, from, count * depth()), count, from + ".heads");
    };
    const auto turned = [&](Value v, const char* of) {
      return g_.call("rotary", {v, cosines_, sines_}, {}, self + of + ".turned");
    };
    const Value query = turned(heads("q", shape_.heads), "q");
    const Value key = cached(turned(heads("k", shape_.key_heads), "k"), fmt::format("{}.key", n));
    const Value value = cached(heads("v", shape_.key_heads), fmt::format("{}.value", n));
    caches.insert(caches.end(), {key, value});
    Value y = g_.call("attention", {query, key, value, mask_}, {}, name + "self_attn");
    y = m_.product(merge_heads(m_, y, self + "rows"), self + "o_proj", shape_.width);
    x = g_.call("add", {y, x}, {}, self + "sum");
    const Value rows = rms_norm(m_, x, name + "post_attention_layernorm", kEpsilon);
    const Value gate =
        g_.call("silu", {m_.product(rows, name + "mlp.gate_proj", shape_.hidden)}, {}, name + "mlp.gate");
    const Value up = m_.product(rows, name + "mlp.up_proj", shape_.hidden);
    y = m_.product(g_.call("multiply", {gate, up}, {}, name + "mlp.gated"), name + "mlp.down_proj", shape_.width);
    return g_.call("add", {y, x}, {}, name + "mlp.sum");
  }

  ModelBuilder m_;
  graph::Graph& g_;
  LlamaShape shape_;
  int64_t tokens_, context_;
  Value cosines_, sines_, mask_, from_, is_new_;
};

}  // namespace

graph::Graph llama(std::string name, const Weights& weights, const LlamaShape& shape, int64_t tokens, int64_t context) {
  return Llama(std::move(name), weights, shape, tokens, context).build();
}

graph::Graph llama_1b(const Weights& weights, int64_t tokens, int64_t context) {
  constexpr LlamaShape kShape = {
      .vocabulary = 32000, .layers = 22, .width = 2048, .hidden = 5632, .heads = 32, .key_heads = 4};
  return Llama("llama_1b", weights, kShape, tokens, context).with_integer_weights().build();
}

}  // namespace vantage::models
