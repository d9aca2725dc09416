#include "tests/compiler/graph/random_graph.h"

#include <array>

#include "base/error.h"
#include "base/tensor/random.h"

namespace vantage::test {

namespace {

using graph::GivenAttributes;
using graph::Graph;
using graph::Value;
using ops::Integers;

class Growing {
 public:
  explicit Growing(std::mt19937_64& random) : random_(random), graph_("random") {}

  Graph grow(int calls) {
    const DType dtype = flip() ? kFloat32 : kInt8;
    for (int64_t inputs = pick(1, 2); inputs > 0; --inputs) {
      add(graph_.input("x", {dtype, {pick(1, 2), pick(1, 4), pick(2, 6), pick(2, 6)}}));
    }
    for (int made = 0; made < calls;) made += try_call() ? 1 : 0;
    std::vector<Value> outputs;
    for (int64_t count = pick(1, 3); count > 0; --count) outputs.push_back(any());
    outputs.push_back(values_.back());
    graph_.set_outputs(std::move(outputs));
    return std::move(graph_);
  }

 private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  bool flip() { return pick(0, 1) == 1; }
  Value any() { return values_[static_cast<size_t>(pick(0, static_cast<int64_t>(values_.size()) - 1))]; }
  void add(Value first) {
    const auto outputs = static_cast<uint32_t>(graph_.node(first).types.size());
    for (uint32_t output = 0; output < outputs; ++output) values_.push_back({first.node, output});
  }
  Value constant(DType dtype, Tensor::Shape shape) {
    Tensor tensor(dtype, std::move(shape));
    fill(tensor, random_, -3, 3);
    return graph_.constant(std::move(tensor));
  }
  // A value of the same type as another one, or a constant that repeats along it.
  Value beside(Value value) {
    const TensorType& type = graph_.type(value);
    for (int attempt = 0; attempt < 4; ++attempt) {
      const Value other = any();
      if (graph_.type(other) == type) return other;
    }
    Tensor::Shape shape = type.shape;
    for (int64_t& extent : shape) extent = flip() ? 1 : extent;
    return constant(type.dtype, shape);
  }

  // False where what was drawn does not fit.
  bool try_call() {
    const Value x = any();
    try {
      add(call_on(x));
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  Value call_on(Value x) {
    const TensorType type = graph_.type(x);
    const Tensor::Shape& shape = type.shape;
    const size_t rank = shape.size();
    const auto axis = [&] { return pick(0, static_cast<int64_t>(rank) - 1); };
    constexpr std::array kUnary = {"relu", "negative", "abs", "sigmoid", "tanh"};
    constexpr std::array kBinary = {"add", "subtract", "multiply", "maximum", "minimum"};
    switch (pick(0, 12)) {
      case 0:
      case 1: return graph_.call(kUnary[static_cast<size_t>(pick(0, 4))], {x});
      case 2:
      case 3: return graph_.call(kBinary[static_cast<size_t>(pick(0, 4))], {x, beside(x)});
      case 4: return graph_.call("clip", {x}, {{"min", -2.0}, {"max", 3.0}});
      case 5: return graph_.call("cast", {x}, {{"dtype", flip() ? kFloat32 : kInt8}});
      case 6: {
        if (rank != 4) return graph_.call("reshape", {x}, {{"shape", Integers{1, 1, -1, 1}}});
        const int64_t outputs = pick(1, 4);
        return graph_.call("conv2d", {x, constant(type.dtype, {outputs, shape[1], pick(1, 3), pick(1, 3)})},
                           {{"padding", Integers{1, 1, pick(0, 1), 1}}, {"strides", Integers{pick(1, 2), 1}}});
      }
      case 7: return graph_.call("max_pool2d", {x}, {{"kernel", Integers{2, 2}}, {"strides", Integers{2, 1}}});
      case 8: return graph_.call("concatenate", {x, flip() ? x : beside(x)}, {{"axis", axis()}});
      case 9: {
        const int64_t along = axis(), extent = shape[static_cast<size_t>(along)];
        const int64_t first = pick(1, extent);
        const Integers pieces = first == extent ? Integers{extent} : Integers{first, extent - first};
        return graph_.call("split", {x}, {{"sizes", pieces}, {"axis", along}});
      }
      case 10: return graph_.call("transpose", {x});
      case 11: return graph_.call(flip() ? "sum" : "mean", {x}, {{"axes", Integers{axis()}}, {"keep_axes", true}});
      default: return graph_.call("dense", {x, constant(type.dtype, {pick(1, 4), shape.back()})});
    }
  }

  std::mt19937_64& random_;
  Graph graph_;
  std::vector<Value> values_;
};

}  // namespace

Graph random_graph(std::mt19937_64& random, int calls) {
  return Growing(random).grow(calls);
}

graph::Inputs random_inputs(const Graph& graph, std::mt19937_64& random) {
  graph::Inputs inputs;
  for (const uint32_t n : graph.inputs()) {
    const graph::Node& node = graph.nodes()[n];
    Tensor tensor(node.types[0].dtype, node.types[0].shape);
    fill(tensor, random, -3, 3);
    inputs.emplace(node.name, std::move(tensor));
  }
  return inputs;
}

}  // namespace vantage::test
