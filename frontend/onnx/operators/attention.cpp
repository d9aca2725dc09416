// Operators of transformers.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "frontend/onnx/operators.h"

namespace vantage::onnx_models {

namespace {

// [batch, places, heads * depth] as [batch, heads, places, depth].
Value by_heads(Builder& b, Value x, int64_t heads) {
  const Tensor::Shape s = b.shape(x);
  if (s.size() != 3) return x;
  if (heads < 1 || s[2] % heads != 0) fail("{} has no {} heads", describe(b.type(x)), heads);
  return b.transpose(b.reshape(x, {s[0], s[1], heads, s[2] / heads}), {0, 2, 1, 3});
}

// What a mask adds to scores: 0, or minus infinity where it is false; of fewer keys, the others are not seen.
Value as_addend(Builder& b, Value mask, DType dtype, int64_t keys) {
  const double hidden = -std::numeric_limits<double>::infinity();
  if (b.dtype(mask).is_bool()) mask = b.call("where", {mask, b.scalar(dtype, 0), b.scalar(dtype, hidden)});
  const Tensor::Shape s = b.shape(mask);
  if (s.empty() || s.back() == 1 || s.back() >= keys) return mask;
  Integers before(s.size(), 0), after(s.size(), 0);
  after.back() = keys - s.back();
  return b.call("pad", {mask}, {{"before", before}, {"after", after}, {"value", hidden}});
}

std::vector<Value> attention(const Node& node) {
  Builder& b = node.builder();
  if (node.wants(3)) fail("it gives its scores, too; there is no such operator");
  if (node.has(6)) fail("it has lengths of keys that come as the network runs; give a mask instead");
  const bool in_rows = b.rank(node.input(0)) == 3;
  const Value q = by_heads(b, node.input(0), node.integer("q_num_heads", 0));
  Value k = by_heads(b, node.input(1), node.integer("kv_num_heads", 0));
  Value v = by_heads(b, node.input(2), node.integer("kv_num_heads", 0));
  int64_t before = 0;
  if (node.has(4)) {
    if (b.rank(node.input(4)) != 4) fail("its keys of before are {}", describe(b.type(node.input(4))));
    before = b.shape(node.input(4))[2];
    k = b.concatenate({node.input(4), k}, 2);
    v = b.concatenate({node.input(5), v}, 2);
  }
  if (b.rank(q) != 4 || b.rank(k) != 4) fail("its query is {}", describe(b.type(q)));
  const DType dtype = b.dtype(q);
  const int64_t queries = b.shape(q)[2], keys = b.shape(k)[2];
  std::vector<Value> inputs = {q, b.cast(k, dtype), b.cast(v, dtype)};
  if (node.has(3)) inputs.push_back(b.cast(as_addend(b, node.input(3), dtype, keys), dtype));
  if (node.integer("is_causal", 0) != 0) {
    // A query sees the keys up to its own, which comes behind those of before.
    Tensor hidden = b.blank(dtype, {queries, keys});
    for (int64_t e = 0; e < hidden.size(); ++e) {
      if (e % keys > e / keys + before) hidden.set_number(e, -std::numeric_limits<double>::infinity());
    }
    const Value mask = b.constant(std::move(hidden));
    if (inputs.size() > 3) {
      inputs[3] = b.add(inputs[3], mask);
    } else {
      inputs.push_back(mask);
    }
  }
  Value y = b.call("attention", inputs, {{"scale", node.number("scale", 0)}, {"cap", node.number("softcap", 0)}});
  if (in_rows) {
    const Tensor::Shape s = b.shape(y);
    y = b.reshape(b.transpose(y, {0, 2, 1, 3}), {s[0], s[2], s[1] * s[3]});
  }
  return {y, k, v};
}

std::vector<Value> rotary(const Node& node) {
  Builder& b = node.builder();
  const bool in_rows = b.rank(node.input(0)) == 3;
  const Value x = by_heads(b, node.input(0), node.integer("num_heads", 0));
  if (b.rank(x) != 4) fail("it turns {}, expected [batch, heads, places, depth]", describe(b.type(x)));
  Value cosine = node.input(1), sine = node.input(2);
  if (node.has(3)) {
    // Rows by the places' numbers.
    cosine = b.call("gather", {cosine, node.input(3)}, {{"axis", int64_t{0}}});
    sine = b.call("gather", {sine, node.input(3)}, {{"axis", int64_t{0}}});
  }
  const int64_t turned = node.integer("rotary_embedding_dim", 0);
  const auto angles = [&](Value v) {
    if (turned > 0) v = b.slice(v, b.shape(v).size() - 1, 0, turned / 2);
    return b.rank(v) == 3 ? b.unsqueeze(v, 1) : v;
  };
  Value y = b.call("rotary", {x, angles(cosine), angles(sine)}, {{"interleaved", node.integer("interleaved", 0) != 0}});
  if (in_rows) {
    const Tensor::Shape s = b.shape(y);
    y = b.reshape(b.transpose(y, {0, 2, 1, 3}), {s[0], s[2], s[1] * s[3]});
  }
  return {y};
}

}  // namespace

OperatorFamily attention_family() {
  return {{"Attention", attention}, {"RotaryEmbedding", rotary}};
}

}  // namespace vantage::onnx_models
