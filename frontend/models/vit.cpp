#include "frontend/models/vit.h"

#include <fmt/format.h>

#include "frontend/models/transformer.h"

namespace vantage::models {

namespace {

using ops::Integers;

class Vit {
 public:
  explicit Vit(const Weights& weights) : m_("vit_tiny", weights), g_(m_.graph()) {}

  graph::Graph build() && {
    Value x = m_.input("image", {1, 3, kImage, kImage});
    x = m_.conv(x, "vit.embeddings.patch_embeddings.projection", kWidth,
                {.kernel = kPatch, .stride = kPatch, .pad = 0, .bias = true});
    x = g_.call("reshape", {x}, {{"shape", Integers{1, kWidth, kPatches}}}, "patches.columns");
    x = g_.call("transpose", {x}, {{"order", Integers{0, 2, 1}}}, "patches");
    const auto embedded = [&](const char* of, int64_t rows) {
      return m_.weight(fmt::format("vit.embeddings.{}", of), {1, rows, kWidth}, WeightRole::kEmbedding);
    };
    x = g_.call("concatenate", {embedded("cls_token", 1), x}, {{"axis", int64_t{1}}}, "tokens");
    x = g_.call("add", {x, embedded("position_embeddings", kPatches + 1)}, {}, "embeddings");
    for (int64_t i = 0; i < kLayers; ++i) x = layer(x, fmt::format("vit.encoder.layer.{}.", i));
    x = g_.call("slice", {x}, {{"begin", Integers{0, 0, 0}}, {"end", Integers{1, 1, kWidth}}}, "first");
    x = g_.call("reshape", {x}, {{"shape", Integers{1, kWidth}}}, "first.row");
    const Value logits = m_.dense(layer_norm(m_, x, "vit.layernorm", kEpsilon), "classifier", kClasses);
    return std::move(m_).finish_classifier(logits);
  }

 private:
  static constexpr int64_t kLayers = 12, kWidth = 192, kHeads = 3, kHidden = 4 * kWidth, kImage = 224, kPatch = 16,
                           kPatches = (kImage / kPatch) * (kImage / kPatch), kClasses = 1000;
  static constexpr double kEpsilon = 1e-12;

  Value layer(Value x, const std::string& name) {
    const Value in = layer_norm(m_, x, name + "layernorm_before", kEpsilon);
    const auto heads = [&](const char* of) {
      const std::string from = name + "attention.attention." + of;
      return split_heads(m_, m_.dense(in, from, kWidth), kHeads, from + ".heads");
    };
    const Value query = heads("query"), key = heads("key"), value = heads("value");
    Value y = g_.call("attention", {query, key, value}, {}, name + "attention");
    y = m_.dense(merge_heads(m_, y, name + "attention.rows"), name + "attention.output.dense", kWidth);
    x = g_.call("add", {y, x}, {}, name + "attention.sum");
    y = m_.dense(layer_norm(m_, x, name + "layernorm_after", kEpsilon), name + "intermediate.dense", kHidden);
    y = m_.dense(g_.call("gelu", {y}, {}, name + "intermediate"), name + "output.dense", kWidth);
    return g_.call("add", {y, x}, {}, name + "output.sum");
  }

  ModelBuilder m_;
  graph::Graph& g_;
};

}  // namespace

graph::Graph vit_tiny(const Weights& weights) {
  return Vit(weights).build();
}

}  // namespace vantage::models
