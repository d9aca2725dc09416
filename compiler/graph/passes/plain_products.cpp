#include "compiler/graph/passes/plain_products.h"

#include <algorithm>
#include <cstring>

#include "base/math.h"
#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

using ops::Integers;

// One side of a transposed convolution: pixel i and element k of the kernel meet in i * stride + k * dilation - before.
//
// Result y is at place p = (y + before) % stride behind pixel q = (y + before) / stride: the sum over j of pixel q - j
// times element p + stride * j. That is a convolution by the elements of every p, backwards.
struct Side {
  int64_t size, kernel, stride, before, dilation, count;  // count: of results

  // Of the convolution: its kernel, its dilation, where its results begin and end, and its padding.
  int64_t elements() const { return stride == 1 ? kernel : ceil_div(kernel, stride); }
  int64_t places() const { return stride == 1 ? count : (before + count - 1) / stride + 1; }
  int64_t pad_before() const { return (elements() - 1) * dilation - (stride == 1 ? before : 0); }
  int64_t pad_after() const { return std::max<int64_t>(0, places() - (size + pad_before() - pad_reach())); }
  int64_t pad_reach() const { return (elements() - 1) * dilation; }
  bool is_possible() const { return pad_before() >= 0 && (stride == 1 || dilation == 1); }
  // The element of the old kernel for element j of place p of the new one; none: -1.
  int64_t element(int64_t place, int64_t j) const {
    const int64_t old = place + stride * (elements() - 1 - j);
    return old < kernel ? old : -1;
  }
};

class ProductRewriter {
 public:
  explicit ProductRewriter(const Graph& graph) : graph_(graph), rewrite_(graph) {}

  Graph run() && {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const Node& node = graph_.nodes()[n];
      const std::string_view op = node.kind == Node::Kind::kCall ? std::string_view(node.op->name) : "";
      const bool is_done =
          (op == "conv2d_transpose" && transposed(n)) || (op == "matmul" && matmul(n)) || (op == "dense" && dense(n));
      if (!is_done) rewrite_.copy(n);
    }
    return std::move(rewrite_).finish();
  }

 private:
  const Tensor* constant(Value value) const { return graph_.node(value).constant.get(); }

  bool transposed(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const Tensor* weights = constant(node.inputs[1]);
    const Tensor* bias = node.inputs.size() > 2 ? constant(node.inputs[2]) : nullptr;
    if (weights == nullptr || (node.inputs.size() > 2 && bias == nullptr)) return false;
    const Tensor::Shape &x = graph_.type(node.inputs[0]).shape, &y = node.types[0].shape;
    const auto& a = node.attributes;
    const auto side = [&](size_t s) {
      return Side{x[2 + s],
                  weights->extent(2 + s),
                  a.integers("strides")[s],
                  a.integers("padding")[s],
                  a.integers("dilation")[s],
                  y[2 + s]};
    };
    const Side rows = side(0), columns = side(1);
    if (!rows.is_possible() || !columns.is_possible()) return false;

    const int64_t step = rows.stride * columns.stride, outputs = y[1];
    std::vector<Value> inputs = {rewrite_.at(node.inputs[0])};
    inputs.push_back(rewrite_.graph().constant(weights_of(*weights, rows, columns, a.integer("groups")),
                                               graph_.node(node.inputs[1]).name));
    if (bias != nullptr) {
      Tensor repeated(bias->dtype(), {outputs * step});
      for (int64_t o = 0; o < repeated.size(); ++o) repeated.set(o, bias->get(o / step));
      inputs.push_back(rewrite_.graph().constant(std::move(repeated), graph_.node(node.inputs[2]).name));
    }
    const bool is_plain = step == 1;
    Value value = rewrite_.graph().call(
        "conv2d", std::move(inputs),
        {{"padding", Integers{rows.pad_before(), columns.pad_before(), rows.pad_after(), columns.pad_after()}},
         {"dilation", Integers{rows.stride == 1 ? rows.dilation : 1, columns.stride == 1 ? columns.dilation : 1}},
         {"groups", a.integer("groups")},
         {"dtype", a.type("dtype")}},
        is_plain ? node.name : node.name + ".steps");
    rewrite_.replace(n, {is_plain ? cut(value, y, 0, 0, node.name) : spread(value, y, rows, columns, node.name)});
    return true;
  }

  // [channels, outputs / groups, rows, columns] to [outputs * steps, channels / groups, rows, columns].
  static Tensor weights_of(const Tensor& weights, const Side& rows, const Side& columns, int64_t groups) {
    const int64_t channels = weights.extent(0) / groups, each = weights.extent(1);
    const int64_t step = rows.stride * columns.stride;
    Tensor result(weights.dtype(), {groups * each * step, channels, rows.elements(), columns.elements()});
    for (int64_t e = 0; e < result.size(); ++e) {
      const Tensor::Shape at = result.index_of(e);
      const int64_t output = at[0] / step, place = at[0] % step, group = output / each;
      const int64_t kh = rows.element(place / columns.stride, at[2]);
      const int64_t kw = columns.element(place % columns.stride, at[3]);
      if (kh < 0 || kw < 0) continue;
      result.set(e, weights.get(weights.element({group * channels + at[1], output % each, kh, kw})));
    }
    return result;
  }

  // Results beside each other that a convolution has as channels.
  Value spread(Value value, const Tensor::Shape& y, const Side& rows, const Side& columns, const std::string& name) {
    Graph& to = rewrite_.graph();
    const Tensor::Shape& shape = to.type(value).shape;
    value =
        to.call("reshape", {value}, {{"shape", Integers{y[0], y[1], rows.stride, columns.stride, shape[2], shape[3]}}},
                name + ".places");
    value = to.call("transpose", {value}, {{"order", Integers{0, 1, 4, 2, 5, 3}}}, name + ".spread");
    value = to.call("reshape", {value},
                    {{"shape", Integers{y[0], y[1], to.type(value).shape[2] * rows.stride,
                                        to.type(value).shape[4] * columns.stride}}},
                    name + ".whole");
    return cut(value, y, rows.stride == 1 ? 0 : rows.before, columns.stride == 1 ? 0 : columns.before, name);
  }

  // Rows and columns from here on, as many as the result has.
  Value cut(Value value, const Tensor::Shape& y, int64_t row, int64_t column, const std::string& name) {
    Graph& to = rewrite_.graph();
    if (to.type(value).shape == y) return value;
    return to.call("slice", {value},
                   {{"begin", Integers{0, 0, row, column}}, {"end", Integers{y[0], y[1], row + y[2], column + y[3]}}},
                   name);
  }

  bool matmul(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const Tensor* b = constant(node.inputs[1]);
    if (node.attributes.flag("transpose_a")) return false;
    const bool is_narrow = b == nullptr && is_weight(graph_, node.inputs[1]);
    if (is_narrow && node.attributes.flag("transpose_b") && graph_.type(node.inputs[1]).shape.size() == 2) {
      rewrite_.replace(n, {on_rows(rewrite_.at(node.inputs), node)});
      return true;
    }
    if (b == nullptr || b->rank() != 2) return false;
    Graph& to = rewrite_.graph();
    const Value weights =
        to.constant(node.attributes.flag("transpose_b") ? *b : b->permuted({1, 0}), graph_.node(node.inputs[1]).name);
    rewrite_.replace(n, {on_rows({rewrite_.at(node.inputs[0]), weights}, node)});
    return true;
  }

  bool dense(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    if (graph_.type(node.inputs[0]).shape.size() == 2) return false;
    rewrite_.replace(n, {on_rows(rewrite_.at(node.inputs), node)});
    return true;
  }

  // dense of the last axis, all others one.
  Value on_rows(std::vector<Value> inputs, const Node& node) {
    Graph& to = rewrite_.graph();
    const Tensor::Shape x = to.type(inputs[0]).shape;
    const GivenAttributes dtype = {{"dtype", node.attributes.type("dtype")}};
    if (x.size() == 2) return to.call("dense", std::move(inputs), dtype, node.name);
    inputs[0] = to.call("reshape", {inputs[0]}, {{"shape", Integers{-1, x.back()}}}, node.name + ".rows");
    const Value rows = to.call("dense", std::move(inputs), dtype, node.name + ".products");
    const Tensor::Shape& y = node.types[0].shape;
    return to.call("reshape", {rows}, {{"shape", Integers(y.begin(), y.end())}}, node.name);
  }

  const Graph& graph_;
  Rewrite rewrite_;
};

}  // namespace

Graph plain_products(Graph graph) {
  return ProductRewriter(graph).run();
}

}  // namespace vantage::graph
