#include "compiler/graph/quantize/quantize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "compiler/graph/quantize/groups.h"
#include "compiler/graph/quantize/integer_functions.h"
#include "compiler/graph/quantize/integer_nodes.h"
#include "compiler/graph/quantize/integer_values.h"
#include "compiler/graph/quantize/scale.h"
#include "compiler/graph/quantize/weights.h"

namespace vantage::graph {

namespace {

using ops::Integers;

class Quantizer {
 public:
  Quantizer(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options)
      : graph_(graph),
        options_(options),
        values_(graph, statistics, options),
        to_(values_.to()),
        users_(graph, options) {}

  QuantizedGraph run() && {
    const std::map<uint32_t, Group> groups = groups_of(graph_, options_);
    std::set<uint32_t> inside;
    for (const auto& [tail, group] : groups) inside.insert(group.members.begin(), group.members.end() - 1);
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      if (inside.count(n) != 0) continue;
      const auto group = groups.find(n);
      if (group != groups.end()) {
        quantize_group(group->second);
      } else if (!keep_integers(n)) {
        values_.copy(n);
      }
    }
    std::vector<Value> outputs;
    for (const Value& output : graph_.outputs()) outputs.push_back(values_.as_float(output));
    QuantizedGraph quantized = std::move(values_).finish(std::move(outputs));
    quantized.graph.name_outputs(graph_.output_names());
    return quantized;
  }

 private:
  using Integer = IntegerValues::Integer;
  // How much finer than the widest a channel's scale may be: its multiplier keeps a few bits.
  static constexpr int kChannelBits = 6;

  // A product in integers; on floats where no requantization does.
  void quantize_group(const Group& group) {
    const Node& product = graph_.nodes()[group.members.front()];
    const Value output{group.members.back(), 0};
    const Integer x = values_.as_integer(product.inputs[0]);
    const IntegerWeights weights = integer_weights(graph_, product.inputs[1], options_);
    const std::vector<double> scales = scales_of(group);
    std::optional<Integer> addend;
    if (group.addend) addend = values_.as_integer(*group.addend);

    SumsRange range = sums_of(product, weights, x.scale);
    std::vector<double> steps = added_to(product, weights, x.scale);
    for (size_t o = 0; o < steps.size(); ++o) range.most[o] += std::abs(steps[o]);
    // Outputs of scales of their own: each ratio is that to its scale.
    const bool is_even = scales.size() == 1;
    if (!is_even) {
      range.scales.resize(steps.size(), range.scales[0]);
      for (size_t o = 0; o < steps.size(); ++o) range.scales[o] /= scales[o];
    }
    const auto r = requantization(options_.scaling, range, is_even ? scales[0] : 1,
                                  addend ? std::optional(addend->scale) : std::nullopt, options_.acc_bits);
    if (!r) {
      for (const uint32_t member : group.members) values_.copy(member);
      return;
    }
    Tensor added(kInt32, {static_cast<int64_t>(steps.size())});
    for (size_t o = 0; o < steps.size(); ++o) {
      added.set_integer(static_cast<int64_t>(o),
                        static_cast<int64_t>(std::clamp(steps[o], -0x1p30, 0x1p30)) + r->rounding[o]);
    }
    const std::string& name = product.name;
    const Value sums = to_.call(
        *product.op,
        {x.value, to_.constant(weights.values, name + ".weights"), to_.constant(std::move(added), name + ".bias")},
        product.attributes, name + ".sums");
    const Value result = values_.finish(sums, *r, addend, scales[0], group.min, group.max, name);
    values_.set(output, result, scales, &weights);
  }

  // Of the outputs one, or one for each channel: of those that only floats are made of, and whose limits are the same
  // whatever the scale.
  std::vector<double> scales_of(const Group& group) const {
    const Value output{group.members.back(), 0};
    const bool may_differ = options_.per_channel && options_.scaling != Scaling::kPowerOfTwo && group.is_scalable();
    if (!may_differ || users_.feeds(output.node)) {
      return {values_.scale_of(output)};
    }
    const Channels& channels = values_.statistics(output).channels;
    double widest = 0;
    for (size_t c = 0; c < channels.count(); ++c) widest = std::max(widest, channels.largest(c));
    if (widest == 0) return {values_.scale_of(output)};
    std::vector<double> scales;
    for (size_t c = 0; c < channels.count(); ++c) {
      // Next to nothing needs no scale of its own.
      scales.push_back(std::max(channels.largest(c), std::ldexp(widest, -kChannelBits)) /
                       static_cast<double>(values_.limit()));
    }
    return scales;
  }

  // Of each output's sums their scale and how large they are, without what is added.
  SumsRange sums_of(const Node& product, const IntegerWeights& weights, double input_scale) const {
    SumsRange range;
    for (const double scale : weights.scales) range.scales.push_back(scale * input_scale);
    const Tensor sums = magnitudes(*weights.values);
    for (int64_t o = 0; o < sums.size(); ++o) {
      range.most.push_back(static_cast<double>((values_.limit() + 1) * sums.integer(o)));
    }
    VANTAGE_CHECK(sums.size() == graph_.type(product.inputs[1]).shape[0]);
    return range;
  }

  // What is added to each output's sums, in their steps: its bias, less what the rounding of weights adds to its mean.
  std::vector<double> added_to(const Node& product, const IntegerWeights& weights, double input_scale) const {
    const Tensor* bias = product.inputs.size() > 2 ? graph_.node(product.inputs[2]).constant.get() : nullptr;
    const int64_t outputs = weights.values->extent(0);
    std::vector<double> added(static_cast<size_t>(outputs));
    for (int64_t o = 0; o < outputs; ++o) added[static_cast<size_t>(o)] = bias == nullptr ? 0 : bias->number(o);
    const Tensor* floats = graph_.node(product.inputs[1]).constant.get();
    if (options_.corrects_bias && floats != nullptr) {
      const Channels& channels = values_.statistics(product.inputs[0]).channels;
      add_mean_errors(*floats, weights, channels, added);
    }
    for (int64_t o = 0; o < outputs; ++o) {
      double& value = added[static_cast<size_t>(o)];
      value = std::round(value / (input_scale * weights.scale(o)));
    }
    return added;
  }

  // The means of what outputs lack when their weights are rounded, by the means of what they are multiplied by.
  static void add_mean_errors(const Tensor& floats, const IntegerWeights& weights, const Channels& channels,
                              std::vector<double>& to) {
    const auto wanted = floats.values<float>();
    const auto integers = weights.values->values<int8_t>();
    const size_t each = wanted.size() / to.size();
    // [outputs, channels of its group, kernel...]
    const auto of_group = static_cast<size_t>(floats.extent(1));
    const size_t kernel = each / of_group, groups = channels.count() / of_group;
    for (size_t o = 0; o < to.size(); ++o) {
      const size_t first = o / (to.size() / groups) * of_group;
      const double scale = weights.scale(static_cast<int64_t>(o));
      for (size_t e = 0; e < each; ++e) {
        const double error = double{wanted[o * each + e]} - scale * integers[o * each + e];
        to[o] += error * channels.mean(first + e / kernel);
      }
    }
  }

  // Of each output the sum of its weights' magnitudes.
  static Tensor magnitudes(const Tensor& weights) {
    Tensor sums(kInt64, {weights.extent(0)});
    const auto values = weights.values<int8_t>();
    const size_t each = values.size() / static_cast<size_t>(weights.extent(0));
    for (int64_t o = 0; o < weights.extent(0); ++o) {
      int64_t sum = 0;
      for (const int8_t value : values.subspan(static_cast<size_t>(o) * each, each)) sum += std::abs(value);
      sums.set_integer(o, sum);
    }
    return sums;
  }

  // What can be done to the integers that a value has: false where it has none, or it cannot.
  bool keep_integers(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    if (node.kind != Node::Kind::kCall || node.inputs.empty()) return false;
    const std::string_view op = node.op->name;
    if (op == "matmul") return product_of(n);
    const std::optional<Integer> x = values_.integers(node.inputs[0]);
    if (!x) return false;
    if (op == "global_avg_pool2d") return mean_of(n, *x);
    if (op == "avg_pool2d" && means_of(n, *x)) return true;
    if (op == "add") return users_.feeds(n) && sum_of(n, *x);
    if (options_.integer_functions && has_integer_function(op)) return users_.feeds(n) && function_of(n, *x);
    static constexpr std::string_view kKeep[] = {
        "max_pool2d", "global_max_pool2d", "avg_pool2d", "reshape", "transpose", "slice", "relu"};
    if (std::find(std::begin(kKeep), std::end(kKeep), op) == std::end(kKeep)) return false;
    values_.set({n, 0}, to_.call(*node.op, {x->value}, node.attributes, node.name), x->scale);
    return true;
  }

  // An activation function in integers; on floats where none comes near it.
  bool function_of(uint32_t n, const Integer& x) {
    const Node& node = graph_.nodes()[n];
    const double scale = values_.scale_of({n, 0});
    const auto function = integer_function(node.op->name, x.scale, scale, values_.limit());
    if (!function) return false;
    // Of rows as products make them, whatever shape these were given: the same tiles come and go then.
    const bool is_shaped = to_.node(x.value).is_call("reshape");
    const Value rows = is_shaped ? to_.node(x.value).inputs[0] : x.value;
    Value made = append(to_, *function, rows, node.name);
    if (is_shaped) {
      const Tensor::Shape& shape = node.types[0].shape;
      made = to_.call("reshape", {made}, {{"shape", Integers(shape.begin(), shape.end())}}, node.name + ".shaped");
    }
    values_.set({n, 0}, made, scale);
    return true;
  }

  // A channel's mean, finer than its pixels: their sum, requantized.
  bool mean_of(uint32_t n, const Integer& x) {
    const Node& node = graph_.nodes()[n];
    const Tensor::Shape& shape = graph_.type(node.inputs[0]).shape;
    const auto pixels = static_cast<double>(shape[2] * shape[3]);
    const double scale = values_.scale_of({n, 0});
    const SumsRange range{{x.scale / pixels}, {static_cast<double>(values_.limit() + 1) * pixels}};
    // A number of pixels is seldom a power of two.
    const auto r = requantization(Scaling::kMultiplyShift, range, scale, std::nullopt, options_.acc_bits);
    if (!r) return false;
    Value sums = to_.call("cast", {x.value}, {{"dtype", kInt32}}, node.name + ".int32");
    sums = to_.call("sum", {sums}, {{"axes", Integers{2, 3}}, {"keep_axes", true}}, node.name + ".sums");
    sums = to_.call("add", {sums, number_in(to_, kInt32, static_cast<double>(r->rounding[0]), node.name + ".half")}, {},
                    node.name + ".rounding");
    values_.set({n, 0}, values_.finish(sums, *r, std::nullopt, scale, -HUGE_VAL, HUGE_VAL, node.name), scale);
    return true;
  }

  // The means of windows, likewise: each channel by a kernel of ones. Not where windows have fewer pixels at the edges.
  bool means_of(uint32_t n, const Integer& x) {
    const Node& node = graph_.nodes()[n];
    const auto& a = node.attributes;
    const bool is_padded = std::ranges::any_of(a.integers("padding"), [](int64_t side) { return side != 0; });
    if (is_padded && !a.flag("count_padding")) return false;
    const Integers& kernel = a.integers("kernel");
    const int64_t channels = node.types[0].shape[1], pixels = kernel[0] * kernel[1];
    const double scale = values_.scale_of({n, 0});
    const SumsRange range{{x.scale / static_cast<double>(pixels)},
                          {static_cast<double>((values_.limit() + 1) * pixels)}};
    const auto r = requantization(Scaling::kMultiplyShift, range, scale, std::nullopt, options_.acc_bits);
    if (!r) return false;
    Tensor ones(kInt8, {channels, 1, kernel[0], kernel[1]}), half(kInt32, {channels});
    std::ranges::fill(ones.values<int8_t>(), int8_t{1});
    for (int64_t c = 0; c < channels; ++c) half.set_integer(c, r->rounding[0]);
    const Value sums = to_.call("conv2d",
                                {x.value, to_.constant(std::move(ones), node.name + ".ones"),
                                 to_.constant(std::move(half), node.name + ".half")},
                                {{"strides", a.integers("strides")},
                                 {"padding", a.integers("padding")},
                                 {"dilation", a.integers("dilation")},
                                 {"groups", channels}},
                                node.name + ".sums");
    values_.set({n, 0}, values_.finish(sums, *r, std::nullopt, scale, -HUGE_VAL, HUGE_VAL, node.name), scale);
    return true;
  }

  // A product of two values that are both known only when the network runs.
  bool product_of(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const auto is_constant = [&](Value v) { return graph_.node(v).constant != nullptr; };
    const auto is_float32 = [&](Value v) { return graph_.type(v).dtype == kFloat32; };
    if (!is_float32({n, 0}) || !is_float32(node.inputs[0])) return false;
    if (std::ranges::any_of(node.inputs, is_constant)) return false;
    const Integer a = values_.as_integer(node.inputs[0]), b = values_.as_integer(node.inputs[1]);
    const Tensor::Shape& shape = graph_.type(node.inputs[0]).shape;
    const int64_t depth = shape[shape.size() - (node.attributes.flag("transpose_a") ? 2 : 1)];
    const auto most = static_cast<double>(values_.limit() + 1);
    // Of a stack that only floats are made of, such as the scores of attention's heads, each may have its own.
    const std::vector<double> scales =
        node.types[0].shape.size() == 4 ? scales_of(Group{{n}}) : std::vector{values_.scale_of({n, 0})};
    SumsRange range;
    for (const double scale : scales) {
      range.scales.push_back(a.scale * b.scale / scale);
      range.most.push_back(most * most * static_cast<double>(depth));
    }
    const auto r = requantization(options_.scaling, range, 1, std::nullopt, options_.acc_bits);
    if (!r) return false;
    Value sums = to_.call(
        "matmul", {a.value, b.value},
        {{"transpose_a", node.attributes.flag("transpose_a")}, {"transpose_b", node.attributes.flag("transpose_b")}},
        node.name + ".sums");
    if (std::ranges::any_of(r->rounding, [](int64_t half) { return half != 0; })) {
      sums = to_.call("add", {sums, by_channel_in(to_, r->rounding, sums, node.name + ".half")}, {},
                      node.name + ".rounding");
    }
    values_.set({n, 0}, values_.finish(sums, *r, std::nullopt, 1, -HUGE_VAL, HUGE_VAL, node.name), scales);
    return true;
  }

  bool sum_of(uint32_t n, const Integer& x) {
    const Node& node = graph_.nodes()[n];
    const std::optional<Integer> other = values_.integers(node.inputs[1]);
    if (!other || graph_.type(node.inputs[0]) != graph_.type(node.inputs[1])) return false;
    const double scale = values_.scale_of({n, 0});
    const SumsRange range{{x.scale}, {static_cast<double>(values_.limit() + 1)}};
    const auto r = requantization(options_.scaling, range, scale, other->scale, options_.acc_bits);
    if (!r) return false;
    Value value = to_.call("cast", {x.value}, {{"dtype", kInt32}}, node.name + ".int32");
    if (r->rounding[0] != 0) {
      value = to_.call("add", {value, number_in(to_, kInt32, static_cast<double>(r->rounding[0]), node.name + ".half")},
                       {}, node.name + ".rounding");
    }
    values_.set({n, 0}, values_.finish(value, *r, other, scale, -HUGE_VAL, HUGE_VAL, node.name), scale);
    return true;
  }

  const Graph& graph_;
  const QuantizeOptions& options_;
  IntegerValues values_;
  Graph& to_;
  IntegerUsers users_;
};

}  // namespace

std::vector<Value> values_to_observe(const Graph& graph) {
  const IntegerUsers users(graph, {});
  std::vector<bool> is_made(graph.nodes().size());  // as integers, whoever takes it
  for (const auto& [tail, group] : groups_of(graph, {})) {
    for (const uint32_t member : group.members) is_made[member] = true;
  }
  std::vector<Value> all;
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const Node& node = graph.nodes()[n];
    if (node.types[0].dtype != kFloat32 || is_weight(graph, {n, 0})) continue;
    if (users.feeds(n) || is_made[n] || makes_integers(node)) all.push_back({n, 0});
  }
  return all;
}

QuantizedGraph quantize(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options) {
  QuantizedGraph quantized = Quantizer(graph, statistics, options).run();
  quantized.graph = remove_dead_code(std::move(quantized.graph));  // the weights as floats
  return quantized;
}

}  // namespace vantage::graph
