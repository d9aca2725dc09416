#include "tests/compiler/network/random_product.h"

#include "base/tensor/random.h"

namespace vantage::test {

using graph::Graph;
using graph::Value;
using ops::Integers;

namespace {

int64_t pick(std::mt19937_64& random, int64_t from, int64_t to) {
  return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
}

// Something behind a product, element by element, or nothing; `by_channel`: a shape that repeats along it.
Value followed(Graph& g, Value y, const Tensor::Shape& by_channel, std::mt19937_64& random) {
  switch (pick(random, 0, 4)) {
    case 0: return g.call("gelu", {y});
    case 1: return g.call("add", {y, g.input("residual", g.type(y))});
    case 2: return g.call("multiply", {g.call("relu", {y}), g.constant(random_floats(random, by_channel), "scale")});
    case 3: return g.call("multiply", {y, g.call("sigmoid", {y})});
    default: return y;
  }
}

Graph random_matrices(std::mt19937_64& random) {
  Graph g("g");
  const int64_t m = pick(random, 1, 40), n = pick(random, 1, 70), k = pick(random, 1, 40);
  const bool is_dense = pick(random, 0, 1) == 0;
  Tensor::Shape stack;
  if (!is_dense && pick(random, 0, 1) == 0) stack = {pick(random, 1, 3), 2};
  const auto with_stack = [&](int64_t rows, int64_t columns) {
    Tensor::Shape shape = stack;
    shape.insert(shape.end(), {rows, columns});
    return shape;
  };
  const bool transposed = is_dense || pick(random, 0, 1) == 0;
  const Value x = g.input("x", {kFloat32, with_stack(m, k)});
  const Tensor::Shape of_b = transposed ? with_stack(n, k) : with_stack(k, n);
  const bool is_constant = pick(random, 0, 1) == 0;
  const Value b = is_constant ? g.constant(random_floats(random, of_b), "b") : g.input("b", {kFloat32, of_b});
  std::vector<Value> inputs = {x, b};
  if (is_dense && pick(random, 0, 1) == 0) inputs.push_back(g.constant(random_floats(random, {n}), "bias"));
  const Value y = is_dense ? g.call("dense", inputs) : g.call("matmul", inputs, {{"transpose_b", transposed}});
  g.set_outputs({followed(g, y, {n}, random)});
  return g;
}

}  // namespace

Tensor random_floats(std::mt19937_64& random, Tensor::Shape shape) {
  Tensor tensor(kFloat32, std::move(shape));
  fill(tensor, random);
  return tensor;
}

Graph random_convolution(std::mt19937_64& random) {
  Graph g("g");
  const int64_t channels = pick(random, 1, 6), outputs = pick(random, 1, 40);
  const Integers kernel = {pick(random, 1, 3), pick(random, 1, 4)}, strides = {pick(random, 1, 2), pick(random, 1, 3)};
  const Integers padding = {pick(random, 0, 1), pick(random, 0, 2), pick(random, 0, 1), pick(random, 0, 2)};
  const Integers dilation = {pick(random, 1, 2), 1};
  const Value x = g.input("x", {kFloat32, {pick(random, 1, 2), channels, pick(random, 5, 14), pick(random, 4, 20)}});
  const Tensor::Shape of_weights = {outputs, channels, kernel[0], kernel[1]};
  const bool is_constant = pick(random, 0, 1) == 0;
  std::vector<Value> inputs = {
      x, is_constant ? g.constant(random_floats(random, of_weights), "w") : g.input("w", {kFloat32, of_weights})};
  if (pick(random, 0, 1) == 0) inputs.push_back(g.constant(random_floats(random, {outputs}), "bias"));
  const Value y = g.call("conv2d", inputs, {{"strides", strides}, {"padding", padding}, {"dilation", dilation}});
  g.set_outputs({followed(g, y, {outputs, 1, 1}, random)});
  return g;
}

Graph random_product(std::mt19937_64& random) {
  return pick(random, 0, 1) == 0 ? random_matrices(random) : random_convolution(random);
}

}  // namespace vantage::test
