#include "compiler/graph/quantize/quantize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "compiler/graph/quantize/groups.h"
#include "compiler/graph/quantize/scale.h"

namespace vantage::graph {

namespace {

using ops::Integers;

class Quantizer {
 public:
  Quantizer(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options)
      : graph_(graph), statistics_(statistics), options_(options), to_(graph.name()), floats_(graph.nodes().size()) {}

  QuantizedGraph run() && {
    const std::map<uint32_t, Group> groups = groups_of(graph_, options_.joins_additions);
    std::set<uint32_t> inside;
    for (const auto& [tail, group] : groups) inside.insert(group.members.begin(), group.members.end() - 1);
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      if (inside.count(n) != 0) continue;
      const auto group = groups.find(n);
      if (group != groups.end()) {
        quantize_group(group->second);
      } else if (!keep_integers(n)) {
        copy(n);
      }
    }
    std::vector<Value> outputs;
    for (const Value& output : graph_.outputs()) outputs.push_back(as_float(output));
    to_.set_outputs(std::move(outputs));
    return {std::move(to_), std::move(values_)};
  }

 private:
  struct Integer {
    Value value;
    double scale;
  };

  double scale_of(Value value) const {
    const auto known = statistics_.find(value);
    if (known == statistics_.end()) fail("there are no statistics of {}", graph_.node(value).name);
    return choose_scale(known->second, options_.activation_bits, options_.scaling, options_.choice);
  }
  int64_t limit() const { return integer_limit(options_.activation_bits); }

  // The integers of a value of the float graph are these.
  void set(Value before, Value value, double scale, const IntegerWeights* weights = nullptr) {
    integers_[before] = {value, scale};
    const double most = scale * static_cast<double>(limit());
    QuantizedValue known{before, to_.node(value).name, scale, statistics_.at(before).beyond(most + scale / 2)};
    if (weights != nullptr) {
      known.weight_scale = *std::max_element(weights->scales.begin(), weights->scales.end());
      known.weight_snr_db = weights->snr_db;
    }
    values_.push_back(std::move(known));
  }

  Value scalar(DType dtype, double value, const std::string& name) {
    Tensor tensor(dtype, {1});
    dtype.is_float() ? tensor.set_number(0, value) : tensor.set_integer(0, std::llround(value));
    return to_.constant(std::move(tensor), name);
  }

  // A value's integers: those there are, or rounded from its floats.
  Integer as_integer(Value before) {
    const auto known = integers_.find(before);
    if (known != integers_.end()) return known->second;
    const std::string& name = graph_.node(before).name;
    const double scale = scale_of(before);
    Value value = to_.call("multiply", {as_float(before), scalar(kFloat32, 1 / scale, name + ".steps")});
    value = to_.call("round", {value});
    value = to_.call("clip", {value}, {{"min", static_cast<double>(-limit())}, {"max", static_cast<double>(limit())}});
    value = to_.call("cast", {value}, {{"dtype", kInt8}}, name + ".int8");
    set(before, value, scale);
    return integers_.at(before);
  }

  Value as_float(Value before) {
    std::vector<Value>& made = floats_[before.node];
    if (made.empty()) {
      const Integer integer = integers_.at(before);
      const std::string& name = graph_.node(before).name;
      const Value value = to_.call("cast", {integer.value}, {{"dtype", kFloat32}}, name + ".float32");
      made = {to_.call("multiply", {value, scalar(kFloat32, integer.scale, name + ".scale")}, {}, name + ".values")};
    }
    return made[before.output];
  }

  // The node on floats, as it is.
  void copy(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    Value first;
    switch (node.kind) {
      case Node::Kind::kInput: first = to_.input(node.name, node.types[0]); break;
      case Node::Kind::kConstant: first = to_.constant(node.constant, node.name); break;
      default: {
        VANTAGE_CHECK(node.kind == Node::Kind::kCall);
        std::vector<Value> inputs;
        for (const Value& input : node.inputs) inputs.push_back(as_float(input));
        first = to_.call(*node.op, std::move(inputs), node.attributes, node.name);
      }
    }
    for (uint32_t i = 0; i < node.types.size(); ++i) floats_[n].push_back({first.node, i});
  }

  // A product in integers; on floats where no requantization does.
  void quantize_group(const Group& group) {
    const Node& product = graph_.nodes()[group.members.front()];
    const Value output{group.members.back(), 0};
    const Integer x = as_integer(product.inputs[0]);
    const IntegerWeights weights = quantize_weights(*graph_.node(product.inputs[1]).constant, options_);
    const Tensor* bias = product.inputs.size() > 2 ? graph_.node(product.inputs[2]).constant.get() : nullptr;
    const int64_t outputs = weights.values.extent(0);
    const Tensor sums_of_weights = magnitudes(weights.values);

    SumsRange range;
    for (const double scale : weights.scales) range.scales.push_back(scale * x.scale);
    Tensor added(kInt32, {outputs});
    for (int64_t o = 0; o < outputs; ++o) {
      const double steps = bias == nullptr ? 0 : std::round(bias->number(o) / (x.scale * weights.scale(o)));
      range.most.push_back(static_cast<double>((limit() + 1) * sums_of_weights.integer(o)) + std::abs(steps));
      added.set_integer(o, static_cast<int64_t>(std::clamp(steps, -0x1p30, 0x1p30)));
    }
    const double scale = scale_of(output);
    std::optional<Integer> addend;
    if (group.addend) addend = as_integer(*group.addend);
    const auto r = requantization(options_.scaling, range, scale, addend ? std::optional(addend->scale) : std::nullopt,
                                  options_.acc_bits);
    if (!r) {
      for (const uint32_t member : group.members) copy(member);
      return;
    }
    for (int64_t o = 0; o < outputs; ++o) {
      added.set_integer(o, added.integer(o) + r->rounding[static_cast<size_t>(o)]);
    }
    const std::string& name = product.name;
    const Value sums = to_.call(
        *product.op,
        {x.value, to_.constant(weights.values, name + ".weights"), to_.constant(std::move(added), name + ".bias")},
        product.attributes, name + ".sums");
    set(output, finish(sums, *r, addend, scale, group.min, group.max, name), scale, &weights);
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

  // From int32 sums, whose bias is there, to integers of this scale within these limits, which are floats.
  Value finish(Value sums, const Requantization& r, const std::optional<Integer>& addend, double scale, double min,
               double max, const std::string& name) {
    const auto part = [&](const char* of) { return name + "." + of; };
    Value value = sums;
    if (r.before > 0) {
      value = to_.call("right_shift", {value, scalar(kInt32, r.before, part("before"))}, {}, part("cut"));
    }
    if (r.multipliers.size() == 1) {
      value = to_.call("multiply", {value, scalar(kInt32, static_cast<double>(r.multipliers[0]), part("multiplier"))},
                       {}, part("scaled"));
    } else if (!r.multipliers.empty()) {
      Tensor::Shape shape = {static_cast<int64_t>(r.multipliers.size())};
      if (to_.type(value).shape.size() == 4) shape.insert(shape.end(), {1, 1});
      Tensor multipliers(kInt32, std::move(shape));
      for (int64_t o = 0; o < multipliers.size(); ++o) {
        multipliers.set_integer(o, r.multipliers[static_cast<size_t>(o)]);
      }
      value =
          to_.call("multiply", {value, to_.constant(std::move(multipliers), part("multipliers"))}, {}, part("scaled"));
    }
    if (addend) {
      Value other = to_.call("cast", {addend->value}, {{"dtype", kInt32}}, part("addend"));
      const int64_t factor = r.addend_multiplier;
      if (factor > 1 && (factor & (factor - 1)) == 0) {
        other = to_.call("left_shift", {other, scalar(kInt32, std::log2(factor), part("up"))}, {}, part("addend.up"));
      } else if (factor > 1) {
        other = to_.call("multiply", {other, scalar(kInt32, static_cast<double>(factor), part("addend.multiplier"))},
                         {}, part("addend.scaled"));
      }
      value = to_.call("add", {value, other}, {}, part("added"));
    }
    if (r.shift > 0) {
      value = to_.call("right_shift", {value, scalar(kInt32, r.shift, part("shift"))}, {}, part("shifted"));
    }
    const auto in_steps = [&](double limit_of_values, double nothing) {
      return std::isfinite(limit_of_values) ? std::clamp(std::round(limit_of_values / scale), -nothing, nothing)
                                            : std::copysign(nothing, limit_of_values);
    };
    const auto most = static_cast<double>(limit());
    value = to_.call("clip", {value}, {{"min", in_steps(min, most)}, {"max", in_steps(max, most)}}, part("clipped"));
    return to_.call("cast", {value}, {{"dtype", kInt8}}, name);
  }

  // What can be done to the integers that a value has: false where it has none, or it cannot.
  bool keep_integers(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    if (node.kind != Node::Kind::kCall || node.inputs.empty()) return false;
    const std::string_view op = node.op->name;
    if (op == "matmul") return product_of(n);
    if (integers_.count(node.inputs[0]) == 0) return false;
    const Integer x = integers_.at(node.inputs[0]);
    if (op == "global_avg_pool2d") return mean_of(n, x);
    if (op == "avg_pool2d" && means_of(n, x)) return true;
    if (op == "add") return sum_of(n, x);
    static constexpr std::string_view kKeep[] = {
        "max_pool2d", "global_max_pool2d", "avg_pool2d", "reshape", "transpose", "slice", "relu"};
    if (std::find(std::begin(kKeep), std::end(kKeep), op) == std::end(kKeep)) return false;
    set({n, 0}, to_.call(*node.op, {x.value}, node.attributes, node.name), x.scale);
    return true;
  }

  // A channel's mean, finer than its pixels: their sum, requantized.
  bool mean_of(uint32_t n, const Integer& x) {
    const Node& node = graph_.nodes()[n];
    const Tensor::Shape& shape = graph_.type(node.inputs[0]).shape;
    const auto pixels = static_cast<double>(shape[2] * shape[3]);
    const double scale = scale_of({n, 0});
    const SumsRange range{{x.scale / pixels}, {static_cast<double>(limit() + 1) * pixels}};
    // A number of pixels is seldom a power of two.
    const auto r = requantization(Scaling::kMultiplyShift, range, scale, std::nullopt, options_.acc_bits);
    if (!r) return false;
    Value sums = to_.call("cast", {x.value}, {{"dtype", kInt32}}, node.name + ".int32");
    sums = to_.call("sum", {sums}, {{"axes", Integers{2, 3}}, {"keep_axes", true}}, node.name + ".sums");
    sums = to_.call("add", {sums, scalar(kInt32, static_cast<double>(r->rounding[0]), node.name + ".half")}, {},
                    node.name + ".rounding");
    set({n, 0}, finish(sums, *r, std::nullopt, scale, -HUGE_VAL, HUGE_VAL, node.name), scale);
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
    const double scale = scale_of({n, 0});
    const SumsRange range{{x.scale / static_cast<double>(pixels)}, {static_cast<double>((limit() + 1) * pixels)}};
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
    set({n, 0}, finish(sums, *r, std::nullopt, scale, -HUGE_VAL, HUGE_VAL, node.name), scale);
    return true;
  }

  // A product of two values that are both known only when the network runs.
  bool product_of(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const auto is_constant = [&](Value v) { return graph_.node(v).constant != nullptr; };
    if (node.types[0].dtype != kFloat32 || std::ranges::any_of(node.inputs, is_constant)) return false;
    const Integer a = as_integer(node.inputs[0]), b = as_integer(node.inputs[1]);
    const Tensor::Shape& shape = graph_.type(node.inputs[0]).shape;
    const int64_t depth = shape[shape.size() - (node.attributes.flag("transpose_a") ? 2 : 1)];
    const auto most = static_cast<double>(limit() + 1);
    const double scale = scale_of({n, 0});
    const auto r = requantization(options_.scaling, {{a.scale * b.scale}, {most * most * static_cast<double>(depth)}},
                                  scale, std::nullopt, options_.acc_bits);
    if (!r) return false;
    Value sums = to_.call(
        "matmul", {a.value, b.value},
        {{"transpose_a", node.attributes.flag("transpose_a")}, {"transpose_b", node.attributes.flag("transpose_b")}},
        node.name + ".sums");
    if (r->rounding[0] != 0) {
      sums = to_.call("add", {sums, scalar(kInt32, static_cast<double>(r->rounding[0]), node.name + ".half")}, {},
                      node.name + ".rounding");
    }
    set({n, 0}, finish(sums, *r, std::nullopt, scale, -HUGE_VAL, HUGE_VAL, node.name), scale);
    return true;
  }

  bool sum_of(uint32_t n, const Integer& x) {
    const Node& node = graph_.nodes()[n];
    const auto other = integers_.find(node.inputs[1]);
    if (other == integers_.end() || graph_.type(node.inputs[0]) != graph_.type(node.inputs[1])) return false;
    const double scale = scale_of({n, 0});
    const SumsRange range{{x.scale}, {static_cast<double>(limit() + 1)}};
    const auto r = requantization(options_.scaling, range, scale, other->second.scale, options_.acc_bits);
    if (!r) return false;
    Value value = to_.call("cast", {x.value}, {{"dtype", kInt32}}, node.name + ".int32");
    if (r->rounding[0] != 0) {
      value = to_.call("add", {value, scalar(kInt32, static_cast<double>(r->rounding[0]), node.name + ".half")}, {},
                       node.name + ".rounding");
    }
    set({n, 0}, finish(value, *r, other->second, scale, -HUGE_VAL, HUGE_VAL, node.name), scale);
    return true;
  }

  const Graph& graph_;
  const Statistics& statistics_;
  const QuantizeOptions& options_;
  Graph to_;
  std::map<Value, Integer> integers_;       // by value of the float graph
  std::vector<std::vector<Value>> floats_;  // by node of the float graph: its outputs, where there are floats
  std::vector<QuantizedValue> values_;
};

}  // namespace

std::vector<Value> values_to_observe(const Graph& graph) {
  std::vector<Value> all;
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const Node& node = graph.nodes()[n];
    if (node.kind == Node::Kind::kConstant) continue;
    for (uint32_t i = 0; i < node.types.size(); ++i) {
      if (node.types[i].dtype == kFloat32) all.push_back({n, i});
    }
  }
  return all;
}

QuantizedGraph quantize(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options) {
  QuantizedGraph quantized = Quantizer(graph, statistics, options).run();
  quantized.graph = remove_dead_code(std::move(quantized.graph));  // the weights as floats
  return quantized;
}

}  // namespace vantage::graph
