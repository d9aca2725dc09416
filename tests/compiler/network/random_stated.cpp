#include "tests/compiler/network/random_stated.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/tensor/random.h"

namespace vantage::test {

namespace {

using graph::GivenAttributes;
using graph::Graph;
using graph::Value;
using ops::Integers;

class StatedDrawing {
 public:
  explicit StatedDrawing(std::mt19937_64& random)
      : random_(random), is_symmetric_(flip()), by_output_(flip()), is_unsigned_(!is_symmetric_ && flip()) {}

  Graph draw(int layers) {
    const Tensor::Shape image = {pick(1, 2), pick(1, 20), pick(5, 9), pick(5, 9)};
    // The file's first node may be what makes integers, or what makes floats of given ones.
    Float x = flip() ? rounded(graph_.input("image", {kFloat32, image}), 0.5)
                     : stood_for(graph_.input("image", {integers_dtype(), image}), 0.5);
    while (layers-- > 0) x = layer(x);
    graph_.set_outputs({x.integers});
    return std::move(graph_);
  }

 private:
  // A value that integers stand for, which is mostly about as large as said.
  struct Float {
    Value value, integers;
    double scale;
    int64_t zero;
    double size;
  };

  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  bool flip() { return pick(0, 1) == 1; }
  double share() { return std::ldexp(static_cast<double>(random_() >> 11), -53); }
  const Tensor::Shape& shape(Value x) const { return graph_.type(x).shape; }
  Value number(DType dtype, double value) {
    Tensor tensor(dtype, {});
    tensor.set_number(0, value);
    return graph_.constant(std::move(tensor));
  }
  Value integer(DType dtype, int64_t value) {
    Tensor tensor(dtype, {});
    tensor.set_integer(0, value);
    return graph_.constant(std::move(tensor));
  }
  Value ints(Value x, DType dtype) { return graph_.call("cast", {x}, {{"dtype", dtype}}); }

  DType integers_dtype() const { return is_unsigned_ ? kUInt8 : kInt8; }

  // What files write as QuantizeLinear and DequantizeLinear. Scales are such that some values are cut.
  Float rounded(Value x, double size) {
    const DType dtype = integers_dtype();
    Float made = stood_for({}, size);
    Value v = graph_.call("divide", {x, number(kFloat32, made.scale)});
    v = graph_.call("add", {graph_.call("round", {v}), number(kFloat32, static_cast<double>(made.zero))});
    v = graph_.call("clip", {v},
                    {{"min", static_cast<double>(dtype.min_int())}, {"max", static_cast<double>(dtype.max_int())}});
    made.integers = ints(v, dtype);
    made.value = floats(made);
    return made;
  }
  // The floats that integers stand for, which may come later.
  Float stood_for(std::optional<Value> integers, double size) {
    const auto scale = static_cast<double>(static_cast<float>(size * (1.5 + 2 * share()) / 127));
    const int64_t middle = is_unsigned_ ? 128 : 0, zero = is_symmetric_ ? 0 : middle + pick(-128, 127);
    Float made{{}, integers.value_or(Value{}), scale, zero, size};
    if (integers) made.value = floats(made);
    return made;
  }
  Value floats(const Float& of) {
    const Value v = graph_.call("subtract", {ints(of.integers, kInt32), integer(kInt32, of.zero)});
    return graph_.call("multiply", {ints(v, kFloat32), number(kFloat32, of.scale)});
  }

  Tensor weights(Tensor::Shape shape) {
    Tensor tensor(kInt8, std::move(shape));
    fill(tensor, random_, -127, 127);
    return tensor;
  }

  // Sums of a product's weights by its inputs' integers, and how large they are.
  Float product(const Float& x, const char* op, Tensor::Shape shape, GivenAttributes attributes) {
    const int64_t outputs = shape[0];
    const double depth = static_cast<double>(type_size(shape) / outputs);
    const double size = std::sqrt(depth) * 127 * 0.6 * x.size * 0.6;
    Tensor scales(kFloat32, {by_output_ ? outputs : 1});
    for (float& scale : scales.values<float>()) scale = static_cast<float>((0.2 + share()) * 0.01);
    const bool adds = flip();
    const size_t behind = std::string_view(op) == "conv2d" ? 2 : 0;
    const Value integers = graph_.constant(weights(shape));
    Value sums;
    if (flip()) {
      // Of integers, which are scaled then.
      const Value less = graph_.call("subtract", {ints(x.integers, kInt32), integer(kInt32, x.zero)});
      std::vector<Value> operands = {less, graph_.constant(int32(*graph_.node(integers).constant))};
      if (adds) {
        Tensor bias(kInt32, {outputs});
        fill(bias, random_, -3000, 3000);
        operands.push_back(graph_.constant(std::move(bias)));
      }
      Tensor all = scales;
      for (float& scale : all.values<float>()) scale *= static_cast<float>(x.scale);
      sums = either_way("multiply", ints(graph_.call(op, operands, attributes), kFloat32), laid_out(all, behind));
    } else {
      Tensor::Shape places(shape.size(), 1);
      places[0] = scales.size();
      const Value floats =
          graph_.call("multiply", {ints(integers, kFloat32), graph_.constant(scales.reshaped(places))});
      std::vector<Value> operands = {x.value, floats};
      if (adds) {
        Tensor bias(kFloat32, {outputs});
        fill(bias, random_);
        for (float& b : bias.values<float>()) b *= static_cast<float>(size * 0.01);
        operands.push_back(graph_.constant(std::move(bias)));
      }
      sums = graph_.call(op, operands, attributes);
    }
    return {sums, {}, 0, 0, size * 0.007};
  }
  static Tensor int32(const Tensor& from) {
    Tensor wide(kInt32, from.shape());
    for (int64_t e = 0; e < wide.size(); ++e) wide.set_integer(e, from.integer(e));
    return wide;
  }
  static int64_t type_size(const Tensor::Shape& shape) { return TensorType{kInt8, shape}.size(); }
  Value laid_out(const Tensor& scales, size_t behind) {
    Tensor::Shape places = {scales.size()};
    places.insert(places.end(), behind, 1);
    return graph_.constant(scales.reshaped(places));
  }

  Value either_way(const char* op, Value a, Value b) {
    if (flip()) std::swap(a, b);
    return graph_.call(op, {a, b});
  }
  Value limited(Value x, double size) {
    switch (pick(0, 5)) {
      case 0: return graph_.call("relu", {x});
      case 1: return either_way("maximum", x, number(kFloat32, -size * share()));
      case 2: return either_way("minimum", x, number(kFloat32, size * share()));
      case 3: return graph_.call("clip", {x}, {{"min", flip() ? 0.0 : -size}, {"max", size}});
      default: return x;
    }
  }

  Float conv(const Float& x, int64_t outputs, bool keeps_size) {
    const Tensor::Shape s = shape(x.value);
    const int64_t kernel = flip() ? 1 : 3, pad = keeps_size ? kernel / 2 : pick(0, kernel / 2);
    const bool is_depthwise = pick(0, 4) == 0 && outputs == s[1];
    if (s[2] + 2 * pad < kernel || s[3] + 2 * pad < kernel) return conv(x, outputs, keeps_size);
    const int64_t stride = keeps_size ? 1 : pick(1, 2);
    return product(x, "conv2d", {outputs, is_depthwise ? 1 : s[1], kernel, kernel},
                   {{"padding", Integers{pad, pad, pad, pad}},
                    {"strides", Integers{stride, stride}},
                    {"groups", is_depthwise ? s[1] : 1}});
  }

  Float layer(const Float& x) {
    const Tensor::Shape s = shape(x.value);
    if (s.size() == 2) {
      const Float y = product(x, "dense", {pick(1, 30), s[1]}, {});
      return rounded(limited(y.value, y.size), y.size);
    }
    switch (pick(0, 9)) {
      case 0: {  // a residual
        const Float y = conv(x, s[1], true);
        const bool rounds = flip();
        const Value sum = graph_.call("add", {rounds ? rounded(y.value, y.size).value : y.value, x.value});
        return rounded(limited(sum, y.size + x.size), y.size + x.size);
      }
      case 1: {
        const int64_t kernel = pick(1, 3), pad = kernel / 2;
        return rounded(graph_.call("max_pool2d", {x.value},
                                   {{"kernel", Integers{kernel, kernel}}, {"padding", Integers{pad, pad, pad, pad}}}),
                       x.size);
      }
      case 2: {
        const int64_t kernel = pick(1, std::min({s[2], s[3], int64_t{3}})), pad = flip() ? kernel / 2 : 0;
        return rounded(graph_.call("avg_pool2d", {x.value},
                                   {{"kernel", Integers{kernel, kernel}},
                                    {"padding", Integers{pad, pad, pad, pad}},
                                    {"count_padding", true}}),
                       x.size);
      }
      case 3: {  // an image becomes rows
        const bool folds = flip();
        Value y = folds ? graph_.call("mean", {x.value}, {{"axes", Integers{2, 3}}, {"keep_axes", true}}) : x.value;
        y = graph_.call("reshape", {y}, {{"shape", Integers{s[0], -1}}});
        return rounded(y, folds ? x.size / 2 : x.size);
      }
      case 4: {
        const Float y = conv(x, pick(1, 9), true);
        return rounded(graph_.call("concatenate", {y.value, x.value}, {{"axis", int64_t{1}}}),
                       std::max(y.size, x.size));
      }
      case 5: {  // every channel's likeness with every other, where nobody needs to know its sums
        if (!is_symmetric_) break;
        const Value rows = graph_.call("reshape", {x.value}, {{"shape", Integers{s[0], s[1], -1}}});
        const Value both = graph_.call("matmul", {rows, rows}, {{"transpose_b", true}});
        return rounded(graph_.call("reshape", {both}, {{"shape", Integers{s[0], 1, s[1], s[1]}}}),
                       x.size * x.size * static_cast<double>(s[2]));
      }
      default: break;
    }
    const Float y = conv(x, flip() ? s[1] : pick(1, 24), false);
    return rounded(limited(y.value, y.size), y.size);
  }

  std::mt19937_64& random_;
  Graph graph_{"net"};
  bool is_symmetric_, by_output_, is_unsigned_;
};

}  // namespace

graph::Graph random_stated_network(std::mt19937_64& random, int layers) {
  return StatedDrawing(random).draw(layers);
}

graph::Inputs random_stated_inputs(const graph::Graph& graph, std::mt19937_64& random) {
  graph::Inputs inputs;
  for (const uint32_t n : graph.inputs()) {
    const graph::Node& node = graph.nodes()[n];
    Tensor tensor(node.types[0].dtype, node.types[0].shape);
    fill(tensor, random);
    inputs.emplace(node.name, std::move(tensor));
  }
  return inputs;
}

}  // namespace vantage::test
