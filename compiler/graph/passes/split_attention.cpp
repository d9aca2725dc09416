#include "compiler/graph/passes/split_attention.h"

#include <cmath>
#include <limits>

#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

using ops::Integers;

// Scores below it are those of keys that are not seen, as attention has it (compiler/ops/attention).
constexpr double kLeast = -1e30;

class Splitter {
 public:
  explicit Splitter(const Graph& graph) : graph_(graph), rewrite_(graph), to_(rewrite_.graph()) {}

  Graph run() && {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      graph_.nodes()[n].is_call("attention") ? split(n) : rewrite_.copy(n);
    }
    return std::move(rewrite_).finish();
  }

 private:
  void split(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    name_ = node.name;
    const std::vector<Value> in = rewrite_.at(node.inputs);
    const Tensor::Shape query = to_.type(in[0]).shape, key = to_.type(in[1]).shape;
    dtype_ = to_.type(in[0]).dtype;
    const int64_t batch = query[0], heads = query[1], queries = query[2], depth = query[3];
    const int64_t key_heads = key[1], keys = key[2], rows = heads / key_heads * queries;
    const auto& a = node.attributes;

    const Value q = reshape(in[0], {batch, key_heads, rows, depth}, "query");
    Value scores = to_.call("matmul", {q, in[1]}, {{"transpose_b", true}}, name_ + ".products");
    const double scale = a.number("scale") == 0 ? 1 / std::sqrt(static_cast<double>(depth)) : a.number("scale");
    scores = binary("multiply", scores, number(scale, "scale"), "scaled");
    scores = reshape(scores, {batch, heads, queries, keys}, "scores");
    if (const double cap = a.number("cap"); cap > 0) {
      scores = binary("divide", scores, number(cap, "cap"), "scores.of_cap");
      scores = binary("multiply", to_.call("tanh", {scores}, {}, name_ + ".tanh"), number(cap, "cap"), "capped");
    }
    const std::optional<Value> mask = mask_of(in, a.flag("causal"), queries, keys);
    // A causal query sees a key where there are as many keys at least.
    const bool may_see_none = in.size() > 3 || keys < queries;
    if (mask) scores = binary("add", scores, *mask, "masked");
    if (mask && may_see_none) scores = binary("maximum", scores, number(kLeast, "least"), "masked.finite");
    Value shares = to_.call("softmax", {scores}, {}, name_ + ".shares");
    if (mask && may_see_none) {
      const Value greatest =
          to_.call("max", {*mask}, {{"axes", Integers{-1}}, {"keep_axes", true}}, name_ + ".mask.greatest");
      const Value seen = binary("greater", greatest, number(kLeast, "least"), "sees");
      shares =
          binary("multiply", shares, to_.call("cast", {seen}, {{"dtype", dtype_}}, name_ + ".sees.any"), "shares.seen");
    }
    shares = reshape(shares, {batch, key_heads, rows, keys}, "shares.rows");
    const Value mean = to_.call("matmul", {shares, in[2]}, {}, name_ + ".means");
    rewrite_.replace(n, {reshape(mean, node.types[0].shape, "rows")});
  }

  // What is added to scores.
  std::optional<Value> mask_of(const std::vector<Value>& in, bool causal, int64_t queries, int64_t keys) {
    std::optional<Value> mask;
    if (in.size() > 3) mask = in[3];
    if (!causal) return mask;
    Tensor unseen(kFloat32, {queries, keys});
    for (int64_t e = 0; e < unseen.size(); ++e) {
      if (e % keys > e / keys + keys - queries) unseen.set_number(e, -std::numeric_limits<float>::infinity());
    }
    const Value of_places = to_.constant(unseen.converted(dtype_), name_ + ".unseen");
    return mask ? binary("add", *mask, of_places, "mask") : of_places;
  }

  Value reshape(Value x, const Tensor::Shape& shape, const char* what) {
    if (to_.type(x).shape == shape) return x;
    return to_.call("reshape", {x}, {{"shape", Integers(shape.begin(), shape.end())}}, name_ + "." + what);
  }
  Value binary(const char* op, Value a, Value b, const char* what) {
    return to_.call(op, {a, b}, {}, name_ + "." + what);
  }
  Value number(double value, const char* what) {
    Tensor tensor(dtype_, {});
    tensor.set_number(0, value);
    return to_.constant(std::move(tensor), name_ + "." + what);
  }

  const Graph& graph_;
  Rewrite rewrite_;
  Graph& to_;
  std::string name_;  // of the node
  DType dtype_ = kFloat32;
};

}  // namespace

Graph split_attention(Graph graph) {
  return Splitter(graph).run();
}

}  // namespace vantage::graph
