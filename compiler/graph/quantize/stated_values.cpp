#include "compiler/graph/quantize/stated_values.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "compiler/graph/quantize/integer_nodes.h"
#include "compiler/graph/quantize/stated.h"
#include "compiler/graph/ranges.h"

namespace vantage::graph {

using ops::Integers;

namespace {

constexpr int64_t kHalf = 128;  // of what 8 bits hold

bool is_byte(DType dtype) {
  return dtype == kInt8 || dtype == kUInt8;
}

bool has_padding(const Node& node) {
  return std::ranges::any_of(node.attributes.integers("padding"), [](int64_t side) { return side != 0; });
}

}  // namespace

GivenAttributes without_padding(const Node& node) {
  GivenAttributes given;
  for (const char* const name : {"kernel", "strides", "dilation"}) {
    const bool has = std::ranges::any_of(node.op->attributes, [&](const auto& a) { return a.name == name; });
    if (has) given.emplace_back(name, node.attributes.integers(name));
  }
  given.emplace_back("padding", Integers(4, 0));
  return given;
}

void StatedValues::copy(uint32_t node) {
  rewrite_.copy(node);
  is_there_[node] = true;
}

void StatedValues::set(uint32_t n, Value value) {
  const Node& node = graph_.nodes()[n];
  carriers_[n] = value;
  is_there_[n] = true;
  if (node.types[0].dtype == kInt8) return rewrite_.replace(n, {value});
  const Value wide = to().call("cast", {value}, {{"dtype", kInt32}}, node.name + ".int32");
  const Value moved =
      to().call("add", {wide, number_in(to(), kInt32, kHalf, node.name + ".half")}, {}, node.name + ".moved");
  rewrite_.replace(n, {to().call("cast", {moved}, {{"dtype", kUInt8}}, node.name + ".uint8")});
}

std::optional<Value> StatedValues::carrier(Value before) {
  if (const auto known = carriers_.find(before.node); known != carriers_.end()) return known->second;
  if (!is_there_[before.node]) return std::nullopt;
  const Value value = rewrite_.at(before);
  if (graph_.type(before).dtype == kInt8) return value;
  const std::string& name = graph_.node(before).name;
  const Value wide = to().call("cast", {value}, {{"dtype", kInt32}}, name + ".int32");
  const Value moved =
      to().call("subtract", {wide, number_in(to(), kInt32, kHalf, name + ".half")}, {}, name + ".moved");
  return carriers_[before.node] = to().call("cast", {moved}, {{"dtype", kInt8}}, name + ".int8");
}

std::optional<Int8> StatedValues::find(Value before) const {
  const auto known = found_.find(before);
  return known == found_.end() ? std::nullopt : std::optional(known->second);
}

void StatedValues::follow(uint32_t n) {
  const Node& node = graph_.nodes()[n];
  if (node.kind != Node::Kind::kCall || node.inputs.empty()) return;
  if (node.is_call("split")) {
    const auto x = find(node.inputs[0]);
    if (!x) return;
    const Value first = to().call(*node.op, {x->value}, node.attributes, node.name + ".int8");
    for (uint32_t i = 0; i < node.types.size(); ++i) found_[{n, i}] = {{first.node, i}, x->scale, x->zero};
    return;
  }
  if (const auto result = made(node)) found_[{n, 0}] = *result;
}

std::optional<Int8> StatedValues::made(const Node& node) {
  const Value input = node.inputs[0];
  const std::string_view op = node.op->name;
  const DType from = graph_.type(input).dtype, dtype = node.types[0].dtype;
  if (op == "cast" && is_byte(from) && (dtype == kInt32 || dtype == kFloat32)) {
    if (graph_.node(input).constant != nullptr) return std::nullopt;
    const auto value = carrier(input);
    return value ? std::optional(Int8{*value, 1, from == kUInt8 ? -kHalf : 0}) : std::nullopt;
  }
  const std::optional<Int8> x = find(input);
  if (!x) return std::nullopt;
  if (op == "cast" && dtype == kFloat32) return x;
  if (op == "subtract" && node.types[0] == graph_.type(input)) {
    const auto zero = number_of(graph_, node.inputs[1]);
    if (!zero || x->scale != 1 || *zero != std::round(*zero) || std::abs(*zero) > 2 * kHalf) return std::nullopt;
    return Int8{x->value, 1, x->zero + std::llround(*zero)};
  }
  if (op == "multiply" && node.types[0] == graph_.type(input) && dtype == kFloat32) {
    const auto scale = number_of(graph_, node.inputs[1]);
    const bool is_scale = scale && *scale > 0 && std::isfinite(*scale);
    return is_scale ? std::optional(Int8{x->value, x->scale * *scale, x->zero}) : std::nullopt;
  }
  const std::string name = node.name + ".int8";
  Int8 result = *x;
  if (op == "reshape" || op == "transpose" || op == "slice" || op == "global_max_pool2d") {
    result.value = to().call(*node.op, {x->value}, node.attributes, name);
  } else if (op == "gather" && is_there_[node.inputs[1].node]) {
    result.value = to().call(*node.op, {x->value, rewrite_.at(node.inputs[1])}, node.attributes, name);
  } else if (op == "max_pool2d") {
    result.value = max_pool(node, x->value, name);
  } else if (op == "relu") {
    // What is below 0 is below its zero point.
    const double zero = static_cast<double>(std::clamp<int64_t>(x->zero, -kHalf, kHalf - 1));
    result.value = to().call("clip", {x->value}, {{"min", zero}, {"max", double{kHalf - 1}}}, name);
  } else if (op == "pad" && node.attributes.number("value") == 0 && std::abs(x->zero) < kHalf) {
    result.value = to().call("pad", {x->value},
                             {{"before", node.attributes.integers("before")},
                              {"after", node.attributes.integers("after")},
                              {"value", static_cast<double>(x->zero)}},
                             name);
  } else if (op == "concatenate") {
    std::vector<Value> parts;
    for (const Value& part : node.inputs) {
      const auto other = find(part);
      if (!other || other->scale != x->scale || other->zero != x->zero) return std::nullopt;
      parts.push_back(other->value);
    }
    result.value = to().call(*node.op, std::move(parts), node.attributes, name);
  } else {
    return std::nullopt;
  }
  return result;
}

Value StatedValues::max_pool(const Node& node, Value images, const std::string& name) {
  if (!has_padding(node) || element_range(to(), images).least >= 0) {
    return to().call(*node.op, {images}, node.attributes, name);
  }
  return to().call("max_pool2d", {padded(node, images, -kHalf, name + ".border")}, without_padding(node), name);
}

Value StatedValues::padded(const Node& node, Value images, int64_t with, const std::string& name) {
  if (!has_padding(node)) return images;
  const Integers& around = node.attributes.integers("padding");  // top, left, bottom, right
  return to().call("pad", {images},
                   {{"before", Integers{0, 0, around[0], around[1]}},
                    {"after", Integers{0, 0, around[2], around[3]}},
                    {"value", static_cast<double>(with)}},
                   name);
}

}  // namespace vantage::graph
