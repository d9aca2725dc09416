// Operators that give the same elements another shape or order.
#include <functional>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "frontend/onnx/operators.h"

namespace vantage::onnx_models {

namespace {

std::vector<Value> reshape(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape& from = b.shape(x);
  const std::optional<Integers> given = node.integers_of("shape", 1);
  if (!given) fail("its shape is missing");
  const bool keeps_zero = node.integer("allowzero", 0) != 0;
  Tensor::Shape shape;
  std::optional<size_t> open;
  int64_t known = 1;
  for (size_t d = 0; d < given->size(); ++d) {
    int64_t size = (*given)[d];
    if (size == 0 && !keeps_zero) {
      if (d >= from.size()) fail("its shape keeps axis {}, which {} does not have", d, describe(b.type(x)));
      size = from[d];
    }
    if (size < -1 || (size == -1 && open)) fail("its shape has the size {} at axis {}", size, d);
    if (size == -1) open = d;
    if (size != -1 && __builtin_mul_overflow(known, size, &known)) fail("its shape has more elements than any memory");
    shape.push_back(size == -1 ? 1 : size);
  }
  const int64_t count = b.type(x).size();
  if (open && known > 0 && count % known == 0) shape[*open] = count / known;
  const int64_t made = open ? known * shape[*open] : known;
  if (made != count) fail("{} has {} elements, the shape that it asks for {}", describe(b.type(x)), count, made);
  return {b.reshape(x, shape)};
}

std::vector<Value> flatten(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const int64_t given = node.integer("axis", 1), rank = b.rank(x);
  if (given < -rank || given > rank) fail("its axis is {}, expected one of {}", given, describe(b.type(x)));
  const auto axis = static_cast<ptrdiff_t>(given < 0 ? given + rank : given);
  const Tensor::Shape& shape = b.shape(x);
  const auto size = [](auto begin, auto end) { return std::accumulate(begin, end, int64_t{1}, std::multiplies<>()); };
  return {b.reshape(x, {size(shape.begin(), shape.begin() + axis), size(shape.begin() + axis, shape.end())})};
}

std::vector<Value> squeeze(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const std::optional<Integers> given = node.integers_of("axes", 1);
  std::vector<bool> drops(b.shape(x).size());
  for (size_t d = 0; !given && d < drops.size(); ++d) drops[d] = b.shape(x)[d] == 1;
  for (const int64_t axis : given.value_or(Integers())) {
    const size_t d = node.axis(axis, b.rank(x));
    if (b.shape(x)[d] != 1) fail("it drops axis {} of {}, whose size is not 1", d, describe(b.type(x)));
    drops[d] = true;
  }
  Tensor::Shape shape;
  for (size_t d = 0; d < drops.size(); ++d) {
    if (!drops[d]) shape.push_back(b.shape(x)[d]);
  }
  return {b.reshape(x, shape)};
}

std::vector<Value> unsqueeze(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const std::optional<Integers> given = node.integers_of("axes", 1);
  if (!given) fail("its axes are missing");
  const size_t rank = b.shape(x).size() + given->size();
  std::vector<bool> is_new(rank);
  for (const int64_t axis : *given) {
    const size_t d = node.axis(axis, static_cast<int64_t>(rank));
    if (is_new[d]) fail("its axis {} is given twice", d);
    is_new[d] = true;
  }
  Tensor::Shape shape;
  size_t from = 0;
  for (const bool added : is_new) shape.push_back(added ? 1 : b.shape(x)[from++]);
  return {b.reshape(x, shape)};
}

std::vector<Value> transpose(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  Integers order = node.integers("perm");
  if (!node.has_attribute("perm")) {
    order.resize(b.shape(x).size());
    std::iota(order.rbegin(), order.rend(), 0);
  }
  if (order.empty()) return {x};
  return {b.call("transpose", {x}, {{"order", order}})};
}

std::vector<Value> depth_to_space(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape s = b.shape(x);
  const int64_t block = node.integer("blocksize");
  if (s.size() != 4 || block < 1 || block > INT32_MAX || s[1] % (block * block) != 0) {
    fail("{} has no channels for blocks of {} x {}", describe(b.type(x)), block, block);
  }
  const int64_t depth = s[1] / (block * block);
  Value y;
  if (node.text("mode", "DCR") == "DCR") {
    y = b.transpose(b.reshape(x, {s[0], block, block, depth, s[2], s[3]}), {0, 3, 4, 1, 5, 2});
  } else {
    y = b.transpose(b.reshape(x, {s[0], depth, block, block, s[2], s[3]}), {0, 1, 4, 2, 5, 3});
  }
  return {b.reshape(y, {s[0], depth, s[2] * block, s[3] * block})};
}

std::vector<Value> space_to_depth(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape s = b.shape(x);
  const int64_t block = node.integer("blocksize");
  if (s.size() != 4 || block < 1 || s[2] % block != 0 || s[3] % block != 0) {
    fail("{} is no image of blocks of {} x {}", describe(b.type(x)), block, block);
  }
  const std::string mode = node.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") fail("its mode is '{}', expected DCR or CRD", mode);
  const Value y = b.transpose(b.reshape(x, {s[0], s[1], s[2] / block, block, s[3] / block, block}),
                              mode == "DCR" ? Integers{0, 3, 5, 1, 2, 4} : Integers{0, 1, 3, 5, 2, 4});
  return {b.reshape(y, {s[0], s[1] * block * block, s[2] / block, s[3] / block})};
}

}  // namespace

OperatorFamily shape_family() {
  return {{"Reshape", reshape},
          {"Flatten", flatten},
          {"Squeeze", squeeze},
          {"Unsqueeze", unsqueeze},
          {"Transpose", transpose},
          {"DepthToSpace", depth_to_space},
          {"SpaceToDepth", space_to_depth}};
}

}  // namespace vantage::onnx_models
