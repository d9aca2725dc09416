#include "tests/compiler/network/random_network.h"

#include <array>
#include <cmath>

#include "base/tensor/random.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/passes/split_attention.h"

namespace vantage::test {

namespace {

using graph::Graph;
using graph::Value;
using ops::Integers;

class NetworkDrawing {
 public:
  explicit NetworkDrawing(std::mt19937_64& random) : random_(random), graph_("net") {}

  Graph draw() {
    Value x = graph_.input("image", {kFloat32, {pick(1, 2), pick(1, 20), pick(5, 12), pick(5, 12)}});
    for (int64_t layers = pick(1, 4); layers > 0; --layers) x = layer(x);
    if (flip()) x = graph_.call("global_avg_pool2d", {x});
    if (flip()) {
      x = graph_.call("reshape", {x}, {{"shape", Integers{graph_.type(x).shape[0], -1}}});
      x = graph_.call("dense", {x, constant({pick(1, 30), graph_.type(x).shape[1]})});
    }
    graph_.set_outputs({x});
    return std::move(graph_);
  }

 private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  bool flip() { return pick(0, 1) == 1; }
  Value constant(Tensor::Shape shape) {
    Tensor tensor(kFloat32, std::move(shape));
    fill(tensor, random_);
    return graph_.constant(std::move(tensor));
  }

  Value conv(Value x, int64_t outputs, int64_t stride) {
    const Tensor::Shape& shape = graph_.type(x).shape;
    const bool is_plain = pick(0, 3) != 0;  // the same along rows and columns
    const int64_t kernel = flip() ? 1 : pick(2, 3), pad = pick(0, kernel / 2);
    const Integers kernels = {kernel, is_plain ? kernel : pick(1, 3)};
    const Integers pads = is_plain ? Integers{pad, pad, pad, pad} : some_pads();
    const Integers dilation = is_plain ? Integers{1, 1} : Integers{pick(1, 2), pick(1, 2)};
    for (size_t s = 0; s < 2; ++s) {
      if (shape[2 + s] + pads[s] + pads[s + 2] < (kernels[s] - 1) * dilation[s] + 1) return x;
    }
    const bool is_depthwise = pick(0, 5) == 0;
    if (is_depthwise) outputs = shape[1];
    std::vector<Value> inputs = {x, constant({outputs, is_depthwise ? 1 : shape[1], kernels[0], kernels[1]})};
    if (flip()) inputs.push_back(constant({outputs}));
    return graph_.call("conv2d", std::move(inputs),
                       {{"strides", Integers{stride, is_plain ? stride : pick(1, 2)}},
                        {"padding", pads},
                        {"dilation", dilation},
                        {"groups", is_depthwise ? shape[1] : 1}});
  }
  Integers some_pads() { return {pick(0, 2), pick(0, 2), pick(0, 2), pick(0, 2)}; }
  // What makes images larger.
  Value transposed(Value x) {
    const Tensor::Shape& shape = graph_.type(x).shape;
    if (shape[2] > 12 || shape[3] > 12 || shape[2] < 3 || shape[3] < 3) return x;
    const int64_t outputs = pick(1, 8);
    const Integers strides = {pick(1, 3), pick(1, 2)}, kernels = {pick(1, 3), pick(1, 4)};
    std::vector<Value> inputs = {x, constant({shape[1], outputs, kernels[0], kernels[1]})};
    if (flip()) inputs.push_back(constant({outputs}));
    return graph_.call("conv2d_transpose", std::move(inputs),
                       {{"strides", strides},
                        {"padding", Integers{pick(0, 1), pick(0, 1), pick(0, 1), pick(0, 1)}},
                        {"output_padding", Integers{pick(0, strides[0] - 1), pick(0, strides[1] - 1)}}});
  }
  // Every channel's likeness with every other.
  Value products(Value x) {
    const Tensor::Shape shape = graph_.type(x).shape;
    const Value rows = graph_.call("reshape", {x}, {{"shape", Integers{shape[0], shape[1], -1}}});
    const bool by_pixels = flip() && shape[2] * shape[3] <= 60;
    const Value both = graph_.call("matmul", {rows, rows}, {{"transpose_a", by_pixels}, {"transpose_b", !by_pixels}});
    return graph_.call("reshape", {both}, {{"shape", Integers{shape[0], 1, graph_.type(both).shape[1], -1}}});
  }
  Value limited(Value x) {
    switch (pick(0, 2)) {
      case 0: return graph_.call("relu", {x});
      case 1: return graph_.call("clip", {x}, {{"min", flip() ? 0.0 : -1.5}, {"max", 2.5}});
      default: return x;
    }
  }
  Value layer(Value x) {
    const Tensor::Shape shape = graph_.type(x).shape;
    switch (pick(0, 9)) {
      case 0:
      case 1: {
        const int64_t kernel = pick(1, 3), pad = pick(0, kernel / 2);
        if (shape[2] < kernel || shape[3] < kernel) return x;
        const bool is_max = pick(0, 2) != 0;
        graph::GivenAttributes attributes = {{"kernel", Integers{kernel, kernel}},
                                             {"strides", Integers{pick(1, 2), pick(1, 2)}},
                                             {"padding", Integers{pad, pick(0, kernel / 2), pad, pad}}};
        if (!is_max) attributes.emplace_back("count_padding", flip());
        return graph_.call(is_max ? "max_pool2d" : "avg_pool2d", {x}, attributes);
      }
      case 2: return limited(transposed(x));
      case 3: return products(x);
      case 4: {
        // A sum of two values that others use as well.
        const Value y = limited(conv(x, shape[1], 1));
        if (graph_.type(y) != graph_.type(x)) return y;
        return graph_.call("add", {limited(x), graph_.call("max_pool2d", {y}, {{"kernel", Integers{1, 1}}})});
      }
      case 5: {
        // A residual: what is added has the sums' shape.
        const Value y = graph_.call("conv2d", {limited(x), constant({shape[1], shape[1], 1, 1})});
        return limited(graph_.call("add", {flip() ? y : x, flip() ? x : y}));
      }
      default: return limited(conv(x, pick(1, 24), pick(1, 2)));
    }
  }

  std::mt19937_64& random_;
  Graph graph_;
};

// Layers of a transformer of rows, whose attention is in its parts.
class TransformerDrawing {
 public:
  explicit TransformerDrawing(std::mt19937_64& random) : random_(random), graph_("net") {
    key_heads_ = pick(1, 2);
    heads_ = key_heads_ * pick(1, 2);
    depth_ = 2 * pick(1, 9);
    rows_ = pick(1, 9);
  }

  Graph draw() {
    Value x = graph_.input("image", {kFloat32, {1, rows_, pick(2, 30)}});
    for (int64_t layers = pick(1, 2); layers > 0; --layers) {
      x = graph_.call("add", {x, dense(attention(norm(x)), width(x))});
      x = graph_.call("add", {dense(graph_.call("gelu", {dense(norm(x), pick(2, 40))}), width(x)), x});
      if (pick(0, 1) == 0) x = norm(x);
    }
    graph_.set_outputs({x});
    return passes::run_passes(graph::split_attention(std::move(graph_)), graph::simplifying_passes());
  }

 private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  int64_t width(Value x) const { return graph_.type(x).shape.back(); }
  // One channel may be much larger than the others.
  Value constant(Tensor::Shape shape, bool may_have_outlier = false) {
    Tensor tensor(kFloat32, std::move(shape));
    fill(tensor, random_);
    if (may_have_outlier && pick(0, 2) == 0) tensor.set_number(pick(0, tensor.size() - 1), 8);
    return graph_.constant(std::move(tensor));
  }
  Value norm(Value x) { return graph_.call("layer_norm", {x, constant({width(x)}, true), constant({width(x)})}); }
  // Of weights that leave values as large as they are: of large scores one rounding may change which is the greatest.
  Value dense(Value x, int64_t outputs) {
    Tensor weights(kFloat32, {outputs, width(x)});
    fill(weights, random_);
    for (float& weight : weights.values<float>()) weight *= 1.5F / std::sqrt(static_cast<float>(width(x)));
    std::vector<Value> inputs = {x, graph_.constant(std::move(weights))};
    if (pick(0, 1) == 0) inputs.push_back(constant({outputs}));
    return graph_.call("dense", std::move(inputs));
  }
  Value heads(Value x, int64_t count) {
    const Value apart =
        graph_.call("reshape", {dense(x, count * depth_)}, {{"shape", Integers{1, rows_, count, depth_}}});
    return graph_.call("transpose", {apart}, {{"order", Integers{0, 2, 1, 3}}});
  }
  Value attention(Value x) {
    const Value query = heads(x, heads_), key = heads(x, key_heads_), value = heads(x, key_heads_);
    Value y = graph_.call("attention", {query, key, value}, {{"causal", pick(0, 1) == 0}});
    y = graph_.call("transpose", {y}, {{"order", Integers{0, 2, 1, 3}}});
    return graph_.call("reshape", {y}, {{"shape", Integers{1, rows_, heads_ * depth_}}});
  }

  std::mt19937_64& random_;
  Graph graph_;
  int64_t heads_, key_heads_, depth_, rows_;
};

}  // namespace

Graph random_network(std::mt19937_64& random) {
  return random() % 4 == 0 ? TransformerDrawing(random).draw() : NetworkDrawing(random).draw();
}

graph::Inputs random_images(const Graph& graph, std::mt19937_64& random) {
  graph::Inputs inputs;
  for (const uint32_t n : graph.inputs()) {
    Tensor tensor(graph.nodes()[n].types[0].dtype, graph.nodes()[n].types[0].shape);
    fill(tensor, random);
    inputs.emplace(graph.nodes()[n].name, std::move(tensor));
  }
  return inputs;
}

graph::Statistics statistics_of(const Graph& graph, const graph::Inputs& inputs) {
  const std::vector<Value> values = values_to_observe(graph);
  if (values.empty()) return {};
  Graph observed = graph;
  observed.set_outputs(values);
  const std::vector<Tensor> outputs = evaluate(observed, inputs);
  graph::Statistics statistics;
  for (size_t i = 0; i < values.size(); ++i) statistics[values[i]].add(outputs[i]);
  return statistics;
}

graph::QuantizeOptions random_quantize_options(std::mt19937_64& random) {
  graph::QuantizeOptions options;
  options.scaling = random() % 2 == 0 ? graph::Scaling::kPowerOfTwo : graph::Scaling::kMultiplyShift;
  options.per_channel = random() % 2 == 0;
  options.range = std::array{graph::Range::kMax, graph::Range::kPercentile, graph::Range::kLeastError,
                             graph::Range::kDivergence}[random() % 4];
  options.corrects_bias = random() % 2 == 0;
  options.integer_functions = random() % 2 == 0;
  return options;
}

}  // namespace vantage::test
