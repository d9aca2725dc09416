#include "compiler/graph/quantize/stated_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "compiler/graph/quantize/integer_nodes.h"
#include "compiler/graph/quantize/stated.h"

namespace vantage::graph {

namespace {

using ops::Integers;

constexpr int64_t kMostByte = 127;
constexpr double kMostMagnitude = 128;  // of int8
// Steps that a result may be off before it is rounded, so that it is one off at most.
constexpr double kMostError = 0.95;
constexpr int kFinerBits = 6;  // as many as a weight of the GEMM core has room for
constexpr double kMostBias = 0x1p30;

}  // namespace

StatedTarget StatedTarget::within(double low, double high) const {
  const auto in_steps = [&](double limit) {
    const double steps = std::round(limit / output.scale) + static_cast<double>(output.zero);
    return static_cast<int64_t>(std::clamp(steps, static_cast<double>(least), static_cast<double>(greatest)));
  };
  return {output, in_steps(low), in_steps(high)};
}

bool StatedTarget::cuts() const {
  return least > -kMostByte - 1 || greatest < kMostByte;
}

// A float value as the target says; none: of that nothing knows how.
std::optional<Value> StatedMaker::make(Value v, const Target& t, const std::string& name) {
  const Node& node = graph_.node(v);
  if (const auto x = values_.find(v)) return rescaled(*x, t, name);
  const bool is_number = node.types[0].dtype == kFloat32 || node.types[0].dtype == kInt32;
  if (node.kind != Node::Kind::kCall || node.inputs.empty() || !is_number) return std::nullopt;
  const std::string_view op = node.op->name;
  const Value input = node.inputs[0];
  if (op == "cast" && graph_.type(input).dtype == kInt32) return make(input, t, name);
  if (op == "relu") return make(input, t.within(0, HUGE_VAL), name);
  if (op == "clip") return make(input, t.within(node.attributes.number("min"), node.attributes.number("max")), name);
  if (op == "maximum" || op == "minimum") {
    const auto limit = number_of(graph_, node.inputs[1]);
    if (!limit || graph_.type(input) != node.types[0]) return std::nullopt;
    return make(input, op == "maximum" ? t.within(*limit, HUGE_VAL) : t.within(-HUGE_VAL, *limit), name);
  }
  if (op == "multiply" || op == "divide") {
    const auto number = number_of(graph_, node.inputs[1]);
    const double factor = !number ? 0 : op == "multiply" ? *number : 1 / *number;
    const bool is_scale = factor > 0 && std::isfinite(factor) && graph_.type(input) == node.types[0];
    if (is_scale) return make(input, {{t.output.scale / factor, t.output.zero}, t.least, t.greatest}, name);
  }
  if (op == "max_pool2d") {
    const auto images = make(input, t, name + ".images");
    return images ? std::optional(values_.max_pool(node, *images, name)) : std::nullopt;
  }
  if (op == "reshape" || op == "transpose" || op == "slice" || op == "global_max_pool2d") {
    if (const auto product = find_product(graph_, values_, v, reason_of(v))) return made(*product, {}, t, name);
    const auto moved = make(input, t, name + ".values");
    return moved ? std::optional(to_.call(*node.op, {*moved}, node.attributes, name)) : std::nullopt;
  }
  if (op == "concatenate") return joined(node, t, name);
  if (op == "mean" || op == "global_avg_pool2d") return mean(node, t, name);
  if (op == "avg_pool2d") return means(node, t, name);
  if (op == "matmul") return product_of_two(v, t, name);
  if (op == "add") {
    if (const auto sum = added(node, t, name)) return sum;
  }
  const auto product = find_product(graph_, values_, v, reason_of(v));
  return product ? made(*product, {}, t, name) : std::nullopt;
}

std::string& StatedMaker::reason_of(Value v) {
  const int64_t product = product_behind(graph_, v);
  return product < 0 ? no_reason_ : reasons_[static_cast<uint32_t>(product)];
}

// Sums of these scales and bias to the target's integers. `most`: how large each may be.
std::optional<Value> StatedMaker::finish(SumsRange range, const std::vector<double>& bias,
                                         const std::optional<Int8>& addend, const Target& t, const std::string& name,
                                         std::string& reason, const MakeSums& sums) {
  for (size_t o = 0; o < bias.size(); ++o) {
    if (!(std::abs(bias[o]) < kMostBias)) {
      reason = "its bias is more than sums hold";
      return std::nullopt;
    }
    range.most[o] += std::abs(std::round(bias[o]));
  }
  if (std::ranges::all_of(range.scales, [&](double scale) { return scale == range.scales[0]; })) {
    range.scales.resize(1);
  }
  const auto stated = addend ? std::optional(StatedOutput{addend->scale, addend->zero}) : std::nullopt;
  const auto found = finest_requantization(range, t.output, stated, options_.acc_bits);
  if (!found || found->error > kMostError) {
    reason = !found ? fmt::format("its sums, times ratios of its scales, need more than {} bits", options_.acc_bits)
                    : fmt::format("ratios of its scales can be said to within {:.2g} steps of its results, and not 1",
                                  found->error);
    return std::nullopt;
  }
  const Requantization& r = found->requantization;
  std::vector<int64_t> added;
  for (size_t o = 0; o < bias.size(); ++o) added.push_back(std::llround(bias[o]) + r.rounding[o]);
  return requantized_in(to_, sums(added), r, addend ? std::optional(addend->value) : std::nullopt, t.least, t.greatest,
                        name);
}

// Sums of one activation, so much finer than its integers that what is added to them says zero points and halves.
std::optional<Value> StatedMaker::finish(const Int8& x, const std::optional<Int8>& addend, const Target& t,
                                         const std::string& name) {
  const SumsRange range{{std::ldexp(x.scale, -kFinerBits)}, {std::ldexp(kMostMagnitude, kFinerBits)}};
  return finish(range, {-std::ldexp(static_cast<double>(x.zero), kFinerBits)}, addend, t, name, no_reason_,
                [&](const std::vector<int64_t>& bias) {
                  const Value wide = to_.call("cast", {x.value}, {{"dtype", kInt32}}, name + ".int32");
                  const Value bits = number_in(to_, kInt32, kFinerBits, name + ".bits");
                  return plus(to_.call("left_shift", {wide, bits}, {}, name + ".finer"), bias[0], name);
                });
}

Value StatedMaker::plus(Value sums, int64_t number, const std::string& name) {
  if (number == 0) return sums;
  const Value added = number_in(to_, kInt32, static_cast<double>(number), name + ".half");
  return to_.call("add", {sums, added}, {}, name + ".rounding");
}

std::optional<Value> StatedMaker::rescaled(const Int8& x, const Target& t, const std::string& name) {
  if (x.scale != t.output.scale || x.zero != t.output.zero) return finish(x, {}, t, name);
  if (!t.cuts()) return x.value;
  return to_.call("clip", {x.value}, {{"min", static_cast<double>(t.least)}, {"max", static_cast<double>(t.greatest)}},
                  name);
}

std::optional<Value> StatedMaker::joined(const Node& node, const Target& t, const std::string& name) {
  std::vector<Value> parts;
  for (const Value& input : node.inputs) {
    const auto part = make(input, t, fmt::format("{}.part{}", name, parts.size()));
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return to_.call(*node.op, std::move(parts), node.attributes, name);
}

// The sum of two integers, or of a product and one.
std::optional<Value> StatedMaker::added(const Node& node, const Target& t, const std::string& name) {
  if (graph_.type(node.inputs[0]) != graph_.type(node.inputs[1])) return std::nullopt;
  const auto x = values_.find(node.inputs[0]), y = values_.find(node.inputs[1]);
  if (x && y) return finish(*x, y, t, name);
  if ((!x && !y) || !options_.joins_additions) return std::nullopt;
  const Value sums = node.inputs[x ? 1 : 0];
  const auto product = find_product(graph_, values_, sums, reason_of(sums));
  // What lays the sums out would have to be undone to the other one.
  return product && product->moves.empty() ? made(*product, x ? x : y, t, name) : std::nullopt;
}

std::optional<Value> StatedMaker::made(const StatedProduct& product, const std::optional<Int8>& addend, const Target& t,
                                       const std::string& name) {
  const Node& node = graph_.nodes()[product.node];
  const size_t outputs = product.scales.size();
  SumsRange range{product.scales, std::vector<double>(outputs, 0)};
  std::vector<double> bias = product.bias;
  const auto weights = product.weights->values<int8_t>();
  const size_t each = weights.size() / outputs;
  for (size_t o = 0; o < outputs; ++o) {
    int64_t sum = 0, magnitudes = 0;
    for (const int8_t weight : weights.subspan(o * each, each)) sum += weight, magnitudes += std::abs(weight);
    range.most[o] = kMostMagnitude * static_cast<double>(magnitudes);
    bias[o] -= static_cast<double>(product.x.zero * sum);
  }
  const std::string& of = node.name;
  const MakeSums sums = [&](const std::vector<int64_t>& added) {
    Value x = product.x.value;
    GivenAttributes given = {{"dtype", kInt32}};
    if (node.is_call("conv2d")) {
      // Loads pad with zeros: what stands for 0 must be one, or be put there before.
      const bool pads = product.x.zero != 0;
      if (pads) x = values_.padded(node, x, product.x.zero, of + ".border");
      for (const char* const a : {"strides", "dilation"}) given.emplace_back(a, node.attributes.integers(a));
      given.emplace_back("padding", pads ? Integers(4, 0) : node.attributes.integers("padding"));
      given.emplace_back("groups", node.attributes.integer("groups"));
    }
    Tensor numbers(kInt32, {static_cast<int64_t>(outputs)});
    for (size_t o = 0; o < outputs; ++o) numbers.set_integer(static_cast<int64_t>(o), added[o]);
    return to_.call(node.op->name,
                    {x, to_.constant(product.weights, of + ".weights"), to_.constant(std::move(numbers), of + ".bias")},
                    given, of + ".sums");
  };
  auto value = finish(range, bias, addend, t, product.moves.empty() ? name : of, reasons_[product.node], sums);
  if (!value) return std::nullopt;
  for (size_t i = product.moves.size(); i-- > 0;) {
    const Node& move = graph_.nodes()[product.moves[i]];
    value = to_.call(*move.op, {*value}, move.attributes, i == 0 ? name : move.name);
  }
  weight_scale_ = product.weight_scale;
  return value;
}

// The mean of each channel's pixels.
std::optional<Value> StatedMaker::mean(const Node& node, const Target& t, const std::string& name) {
  const auto x = values_.find(node.inputs[0]);
  const Tensor::Shape& shape = graph_.type(node.inputs[0]).shape;
  if (!x || shape.size() != 4) return std::nullopt;
  if (node.is_call("mean")) {
    Integers axes = node.attributes.integers("axes");
    for (int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
    std::ranges::sort(axes);
    if (axes != Integers{2, 3} || !node.attributes.flag("keep_axes")) return std::nullopt;
  }
  const auto pixels = static_cast<double>(shape[2] * shape[3]);
  return finish({{x->scale / pixels}, {kMostMagnitude * pixels}}, {-static_cast<double>(x->zero) * pixels}, {}, t, name,
                no_reason_, [&](const std::vector<int64_t>& bias) {
                  const Value sums =
                      to_.call("sum", {to_.call("cast", {x->value}, {{"dtype", kInt32}}, name + ".int32")},
                               {{"axes", Integers{2, 3}}, {"keep_axes", true}}, name + ".sums");
                  return plus(sums, bias[0], name);
                });
}

// The means of windows: each channel by a kernel of the same weights. Not where windows have fewer pixels at the
// edges.
std::optional<Value> StatedMaker::means(const Node& node, const Target& t, const std::string& name) {
  const auto x = values_.find(node.inputs[0]);
  const Integers &kernel = node.attributes.integers("kernel"), &padding = node.attributes.integers("padding");
  const bool is_padded = std::ranges::any_of(padding, [](int64_t side) { return side != 0; });
  if (!x || (is_padded && !node.attributes.flag("count_padding"))) return std::nullopt;
  const int64_t channels = node.types[0].shape[1], pixels = kernel[0] * kernel[1];
  const double each = std::ldexp(static_cast<double>(pixels), kFinerBits);
  return finish({{x->scale / each}, {kMostMagnitude * each}}, {-static_cast<double>(x->zero) * each}, {}, t, name,
                no_reason_, [&](const std::vector<int64_t>& bias) {
                  Tensor same(kInt8, {channels, 1, kernel[0], kernel[1]}), half(kInt32, {channels});
                  std::ranges::fill(same.values<int8_t>(), int8_t{1 << kFinerBits});
                  for (int64_t c = 0; c < channels; ++c) half.set_integer(c, bias[0]);
                  const Value images = values_.padded(node, x->value, x->zero, name + ".border");
                  return to_.call("conv2d",
                                  {images, to_.constant(std::move(same), name + ".same"),
                                   to_.constant(std::move(half), name + ".half")},
                                  {{"strides", node.attributes.integers("strides")},
                                   {"dilation", node.attributes.integers("dilation")},
                                   {"groups", channels}},
                                  name + ".sums");
                });
}

// A product of two values that are both known only when the network runs.
std::optional<Value> StatedMaker::product_of_two(Value v, const Target& t, const std::string& name) {
  const Node& node = graph_.node(v);
  std::string& reason = reason_of(v);
  const auto a = values_.find(node.inputs[0]), b = values_.find(node.inputs[1]);
  if (!a || !b) {
    reason = "what it multiplies is not made of integers by one scale";
    return std::nullopt;
  }
  if (a->zero != 0 || b->zero != 0) {
    reason = "it multiplies activations with zero points, whose sums nobody knows; int8 with 0 would do";
    return std::nullopt;
  }
  const Tensor::Shape& shape = graph_.type(node.inputs[0]).shape;
  const auto depth = static_cast<double>(shape[shape.size() - (node.attributes.flag("transpose_a") ? 2 : 1)]);
  return finish({{a->scale * b->scale}, {kMostMagnitude * kMostMagnitude * depth}}, {0}, {}, t, name, reason,
                [&](const std::vector<int64_t>& bias) {
                  const Value sums = to_.call("matmul", {a->value, b->value},
                                              {{"transpose_a", node.attributes.flag("transpose_a")},
                                               {"transpose_b", node.attributes.flag("transpose_b")}},
                                              node.name + ".sums");
                  return plus(sums, bias[0], name);
                });
}

}  // namespace vantage::graph
