#include "compiler/ops/attention/attention.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;
using te::Var;

// A score that is less than any that products make.
constexpr double kLeast = -1e30;

struct AttentionSizes {
  int64_t batch, heads, queries, depth, key_heads, keys, width;
  double scale, cap;
  bool causal;

  explicit AttentionSizes(const OperatorCall& call)
      : scale(call.attributes.number("scale")),
        cap(call.attributes.number("cap")),
        causal(call.attributes.flag("causal")) {
    const TensorType &q = call.inputs[0], &k = call.inputs[1], &v = call.inputs[2];
    for (size_t i = 0; i < 3; ++i) {
      const char* const name = std::array{"query", "key", "value"}[i];
      require_rank(call.inputs[i], 4, name, "[batch, heads, places, depth]");
      if (!call.inputs[i].dtype.is_float()) fail("{} is {}, expected floats", name, describe(call.inputs[i]));
      require_same_dtype(q, call.inputs[i], "query", name);
    }
    batch = q.shape[0], heads = q.shape[1], queries = q.shape[2], depth = q.shape[3];
    key_heads = k.shape[1], keys = k.shape[2], width = v.shape[3];
    const bool fits = k.shape[0] == batch && v.shape[0] == batch && v.shape[1] == key_heads && v.shape[2] == keys &&
                      k.shape[3] == depth && heads % key_heads == 0;
    if (!fits)
      fail("query is {}, key {} and value {}, which do not fit together", describe(q), describe(k), describe(v));
    if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(depth));
    if (call.inputs.size() > 3) {
      const TensorType& mask = call.inputs[3];
      require_same_dtype(q, mask, "query", "mask");
      if (broadcast({batch, heads, queries, keys}, mask.shape) != Tensor::Shape{batch, heads, queries, keys}) {
        fail("mask is {}, which does not repeat along the scores, [{}, {}, {}, {}]", describe(mask), batch, heads,
             queries, keys);
      }
    }
  }
  Tensor::Shape scores() const { return {batch, heads, queries, keys}; }
  // Of the last query the last key: earlier ones are what came before the first.
  int64_t offset() const { return keys - queries; }
};

te::Tensor attention_formula(const OperatorCall& call, const std::vector<te::Tensor>& in) {
  const AttentionSizes s(call);
  const DType dtype = in[0].dtype(), sums = dtype.is_narrow_float() ? kFloat32 : dtype;
  const auto number = [&](double value) { return ir::make_const(sums, value); };
  const auto key_head = [&](const Expr& head) {
    return s.heads == s.key_heads ? head : ir::floor_div(head, s.heads / s.key_heads);
  };
  const ReduceAxis d = te::reduce_axis(s.depth, "d"), most = te::reduce_axis(s.keys, "m"),
                   all = te::reduce_axis(s.keys, "k"), place = te::reduce_axis(s.keys, "p");
  const te::Tensor products = te::compute(
      sizes(s.scores()),
      [&](Expr b, Expr h, Expr q, Expr k) {
        return te::sum(ir::cast(sums, in[0](b, h, q, d)) * ir::cast(sums, in[1](b, key_head(h), k, d)), {d});
      },
      "products");
  const te::Tensor scores = te::compute(
      sizes(s.scores()),
      [&](const std::vector<Var>& i) {
        Expr score = products.at(indices(i)) * number(s.scale);
        if (s.cap > 0) score = number(s.cap) * te::tanh(score / number(s.cap));
        if (in.size() > 3) score = score + ir::cast(sums, te::detail::broadcast_at(in[3], sizes(s.scores()), i));
        if (!s.causal) return score;
        return ir::if_then_else(Expr(i[3]) <= Expr(i[2]) + s.offset(), score, ir::min_value(sums));
      },
      "scores");
  const Tensor::Shape rows = {s.batch, s.heads, s.queries};
  // Of rows that see nothing it is the least number, so that their powers are 0 and no NaN.
  const te::Tensor maxima = te::compute(
      sizes(rows), [&](Expr b, Expr h, Expr q) { return te::max(scores(b, h, q, most), {most}); }, "maxima");
  const te::Tensor greatest = te::map(
      maxima, [&](const Expr& m) { return ir::max(m, number(kLeast)); }, "greatest");
  const te::Tensor powers = te::compute(
      sizes(s.scores()),
      [&](Expr b, Expr h, Expr q, Expr k) { return te::exp(scores(b, h, q, k) - greatest(b, h, q)); }, "powers");
  const te::Tensor total = te::compute(
      sizes(rows), [&](Expr b, Expr h, Expr q) { return te::sum(powers(b, h, q, all), {all}); }, "total");
  const Tensor::Shape shape = {s.batch, s.heads, s.queries, s.width};
  const te::Tensor weighted = te::compute(
      sizes(shape),
      [&](Expr b, Expr h, Expr q, Expr w) {
        return te::sum(powers(b, h, q, place) * ir::cast(sums, in[2](b, key_head(h), place, w)), {place});
      },
      "weighted");
  return te::compute(
      sizes(shape),
      [&](Expr b, Expr h, Expr q, Expr w) {
        const Expr mean = weighted(b, h, q, w) / ir::max(total(b, h, q), number(1e-30));
        return ir::cast(dtype, mean);
      },
      "attention");
}

Tensor attention_reference(const OperatorCall& call, const std::vector<const Tensor*>& in) {
  const AttentionSizes s(call);
  Tensor y(in[0]->dtype(), {s.batch, s.heads, s.queries, s.width});
  const auto at = [&](const Tensor& t, int64_t b, int64_t h, int64_t p, int64_t d) {
    return t.number(((b * t.extent(1) + h) * t.extent(2) + p) * t.extent(3) + d);
  };
  std::vector<double> scores(static_cast<size_t>(s.keys));
  for (int64_t row = 0; row < s.batch * s.heads * s.queries; ++row) {
    const int64_t b = row / (s.heads * s.queries), h = row / s.queries % s.heads, q = row % s.queries;
    const int64_t of_keys = h / (s.heads / s.key_heads);
    double greatest = kLeast, total = 0;
    for (int64_t k = 0; k < s.keys; ++k) {
      double score = 0;
      for (int64_t d = 0; d < s.depth; ++d) score += at(*in[0], b, h, q, d) * at(*in[1], b, of_keys, k, d);
      score *= s.scale;
      if (s.cap > 0) score = s.cap * std::tanh(score / s.cap);
      if (in.size() > 3) score += in[3]->number(broadcast_element(in[3]->shape(), {b, h, q, k}));
      if (s.causal && k > q + s.offset()) score = -std::numeric_limits<double>::infinity();
      scores[static_cast<size_t>(k)] = score;
      greatest = std::max(greatest, score);
    }
    for (double& score : scores) total += score = std::exp(score - greatest);
    for (int64_t w = 0; w < s.width; ++w) {
      double sum = 0;
      for (int64_t k = 0; k < s.keys; ++k) sum += scores[static_cast<size_t>(k)] * at(*in[2], b, of_keys, k, w);
      y.set_number(row * s.width + w, total > 0 ? sum / total : 0);
    }
  }
  return y;
}

}  // namespace

Operator attention_operator() {
  Operator op;
  op.name = "attention";
  op.meaning = "softmax(query x key * scale + mask) x value, head by head; 0 where a query sees no key";
  op.inputs = {{"query", "[batch, heads, queries, depth], floats"},
               {"key", "[batch, heads, keys, depth]; of fewer heads each serves as many queries' heads"},
               {"value", "[batch, heads, keys, width]"},
               {"mask", "a shape that repeats along [batch, heads, queries, keys]", OperatorInput::Count::kOptional}};
  op.attributes = {{"scale", "of products; 0: 1 / sqrt(depth)", 0.0},
                   {"causal", "no query sees keys behind its own, the last query all of them", false},
                   {"cap", "scores become cap * tanh(score / cap); 0: they stay", 0.0}};
  op.infer = [](const OperatorCall& call) {
    const AttentionSizes s(call);
    return std::vector{TensorType{call.inputs[0].dtype, {s.batch, s.heads, s.queries, s.width}}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{attention_formula(call, in)};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{attention_reference(call, in)};
  };
  return op;
}

}  // namespace vantage::ops
