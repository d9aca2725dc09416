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

// Which keys a query sees by their places: those up to its own and those within its windows, where a query's own place
// comes behind the keys of before.
struct Sight {
  bool is_causal;
  int64_t left, right;  // how far; -1: to the end

  explicit Sight(const Node& node)
      : is_causal(node.integer("is_causal", 0) != 0),
        left(node.integer("left_window_size", -1)),
        right(node.integer("right_window_size", -1)) {
    if (left < -1 || right < -1) fail("its windows are {} and {}, expected -1 or more", left, right);
  }
  bool is_limited() const { return is_causal || left >= 0 || right >= 0; }
  // Of a query that is so much further along than a key.
  bool sees(int64_t ahead) const {
    return (!is_causal || ahead >= 0) && (left < 0 || ahead <= left) && (right < 0 || -ahead <= right);
  }
};

constexpr double kHidden = -std::numeric_limits<double>::infinity();

// 0 where a query sees a key, minus infinity elsewhere: [queries, keys].
Value seen(Builder& b, const Sight& sight, DType dtype, int64_t queries, int64_t keys, int64_t before) {
  Tensor addend = b.blank(dtype, {queries, keys});
  for (int64_t e = 0; e < addend.size(); ++e) {
    if (!sight.sees(e / keys + before - e % keys)) addend.set_number(e, kHidden);
  }
  return b.constant(std::move(addend));
}

// The same where each batch has a number of keys that are any: [batch, 1, queries, keys]. The last of them is the last
// query's own.
Value seen_of_lengths(Builder& b, const Sight& sight, DType dtype, int64_t queries, int64_t keys, Value lengths) {
  const auto counted = [&](int64_t count, const Tensor::Shape& shape) {
    Tensor places = b.blank(kInt64, shape);
    for (int64_t i = 0; i < count; ++i) places.set_integer(i, i);
    return b.constant(std::move(places));
  };
  lengths = b.reshape(b.cast(lengths, kInt64), {b.type(lengths).size(), 1, 1, 1});
  const Value key = counted(keys, {1, 1, 1, keys}), none = b.scalar(dtype, 0), hidden = b.scalar(dtype, kHidden);
  Value all = b.call("where", {b.call("less", {key, lengths}), none, hidden});
  if (!sight.is_limited()) return all;
  const Value query = counted(queries, {1, 1, queries, 1});
  const Value ahead = b.subtract(b.add(query, b.subtract(lengths, b.integer(queries))), key);
  const auto hide = [&](const char* relation, int64_t bound) {
    all = b.call("where", {b.call(relation, {ahead, b.integer(bound)}), hidden, all});
  };
  if (sight.is_causal) hide("less", 0);
  if (sight.left >= 0) hide("greater", sight.left);
  if (sight.right >= 0) hide("less", -sight.right);
  return all;
}

// What is added to scores; nothing where all is seen.
std::optional<Value> addend_of(const Node& node, DType dtype, int64_t queries, int64_t keys, int64_t before) {
  Builder& b = node.builder();
  std::optional<Value> all;
  const auto add = [&](Value part) { all = all ? b.add(*all, part) : part; };
  if (node.has(3)) add(b.cast(as_addend(b, node.input(3), dtype, keys), dtype));
  const Sight sight(node);
  if (node.has(6)) {
    if (node.has(4)) fail("it has keys of before and lengths of keys, expected one of them");
    add(seen_of_lengths(b, sight, dtype, queries, keys, node.input(6)));
  } else if (sight.is_limited()) {
    add(seen(b, sight, dtype, queries, keys, before));
  }
  return all;
}

struct Attended {
  Value y, scores;
};

// Step by step, with the scores as they are after the step that is asked for.
Attended attend(const Node& node, Value q, Value k, Value v, std::optional<Value> addend) {
  Builder& b = node.builder();
  const DType given = b.dtype(q), dtype = Builder::sums_of(given);
  const Tensor::Shape of_q = b.shape(q), of_k = b.shape(k), of_v = b.shape(v);
  if (of_v.size() != 4 || b.type(q).size() == 0 || of_k[1] < 1 || of_q[1] % of_k[1] != 0) {
    fail("its query is {}, its key {} and its value {}", describe(b.type(q)), describe(b.type(k)), describe(b.type(v)));
  }
  // Of fewer heads each serves as many of the query's.
  const int64_t shared = of_q[1] / of_k[1];
  const auto grouped = [&](Value x, const Tensor::Shape& s, int64_t each) {
    return b.cast(b.reshape(x, {s[0], s[1] / each, each, s[2], s[3]}), dtype);
  };
  const double given_scale = node.number("scale", 0), cap = node.number("softcap", 0);
  const double scale = given_scale == 0 ? 1 / std::sqrt(static_cast<double>(of_q[3])) : given_scale;
  const Value products = b.call("matmul", {grouped(q, of_q, shared), grouped(k, of_k, 1)}, {{"transpose_b", true}});
  const Tensor::Shape rows = {of_q[0], of_q[1], of_q[2], of_k[2]};
  std::vector<Value> steps = {b.multiply(b.reshape(products, rows), scale)};
  steps.push_back(cap > 0 ? b.multiply(b.call("tanh", {b.multiply(steps[0], 1 / cap)}), cap) : steps[0]);
  steps.push_back(addend ? b.add(steps[1], b.cast(*addend, dtype)) : steps[1]);
  // Queries that see nothing have no shares, and no NaN.
  const Value greatest = b.fold("max", steps[2], {3}, true);
  const Value sees_none = b.call("equal", {greatest, b.scalar(dtype, kHidden)}), zero = b.scalar(dtype, 0);
  const Value powers = b.call("exp", {b.subtract(steps[2], b.call("where", {sees_none, zero, greatest}))});
  const Value total = b.call("where", {sees_none, b.scalar(dtype, 1), b.fold("sum", powers, {3}, true)});
  steps.push_back(b.divide(powers, total));
  const Value y = b.call("matmul", {grouped(steps[3], rows, shared), grouped(v, of_v, 1)});
  const int64_t mode = node.integer("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) fail("its qk_matmul_output_mode is {}, expected 0 to 3", mode);
  return {b.cast(b.reshape(y, {of_q[0], of_q[1], of_q[2], of_v[3]}), given),
          b.cast(steps[static_cast<size_t>(mode)], given)};
}

std::vector<Value> attention(const Node& node) {
  Builder& b = node.builder();
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
  const std::optional<Value> addend = addend_of(node, dtype, b.shape(q)[2], b.shape(k)[2], before);
  Attended made;
  if (node.wants(3)) {
    made = attend(node, q, k, v, addend);
  } else {
    node.integer("qk_matmul_output_mode", 0);  // of no output
    std::vector<Value> inputs = {q, b.cast(k, dtype), b.cast(v, dtype)};
    if (addend) inputs.push_back(*addend);
    made.y = b.call("attention", inputs, {{"scale", node.number("scale", 0)}, {"cap", node.number("softcap", 0)}});
  }
  if (in_rows) {
    const Tensor::Shape s = b.shape(made.y);
    made.y = b.reshape(b.transpose(made.y, {0, 2, 1, 3}), {s[0], s[2], s[1] * s[3]});
  }
  return {made.y, k, v, made.scores};
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
