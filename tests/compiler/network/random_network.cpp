#include "tests/compiler/network/random_network.h"

#include <cmath>

#include "base/tensor/random.h"

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
    const int64_t kernel = flip() ? 1 : pick(2, 3), pad = pick(0, kernel / 2);
    if (shape[2] + 2 * pad < kernel || shape[3] + 2 * pad < kernel) return x;
    const bool is_depthwise = pick(0, 5) == 0;
    if (is_depthwise) outputs = shape[1];
    std::vector<Value> inputs = {x, constant({outputs, is_depthwise ? 1 : shape[1], kernel, kernel})};
    if (flip()) inputs.push_back(constant({outputs}));
    return graph_.call("conv2d", std::move(inputs),
                       {{"strides", Integers{stride, stride}},
                        {"padding", Integers{pad, pad, pad, pad}},
                        {"groups", is_depthwise ? shape[1] : 1}});
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
    switch (pick(0, 4)) {
      case 0: {
        const int64_t kernel = pick(1, 3), pad = pick(0, kernel / 2);
        if (shape[2] < kernel || shape[3] < kernel) return x;
        return graph_.call("max_pool2d", {x},
                           {{"kernel", Integers{kernel, kernel}},
                            {"strides", Integers{pick(1, 2), pick(1, 2)}},
                            {"padding", Integers{pad, pad, pad, pad}}});
      }
      case 1: {
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

}  // namespace

Graph random_network(std::mt19937_64& random) {
  return NetworkDrawing(random).draw();
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
  options.choice = random() % 2 == 0 ? graph::ScaleChoice::kLargest : graph::ScaleChoice::kLeastError;
  return options;
}

}  // namespace vantage::test
