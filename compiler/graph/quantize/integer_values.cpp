#include "compiler/graph/quantize/integer_values.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "compiler/graph/quantize/integer_nodes.h"
#include "compiler/graph/quantize/scale.h"

namespace vantage::graph {

int64_t IntegerValues::limit() const {
  return integer_limit(options_.activation_bits);
}

const ValueStatistics& IntegerValues::statistics(Value before) const {
  const auto known = statistics_.find(before);
  if (known == statistics_.end()) fail("there are no statistics of {}", graph_.node(before).name);
  return known->second;
}

double IntegerValues::scale_of(Value before) const {
  return choose_scale(statistics(before).magnitudes, options_.activation_bits, options_.scaling, options_.range);
}

std::optional<IntegerValues::Integer> IntegerValues::integers(Value before) const {
  const auto known = integers_.find(before);
  if (known == integers_.end() || known->second.scales.size() > 1) return std::nullopt;
  return Integer{known->second.value, known->second.scales[0]};
}

void IntegerValues::set(Value before, Value value, std::vector<double> scales, const IntegerWeights* weights) {
  const double widest = *std::ranges::max_element(scales);
  QuantizedValue known{.before = before, .name = to_.node(value).name, .scale = widest};
  const auto seen = statistics_.find(before);
  if (scales.size() > 1) {
    known.channel_scales = scales;
  } else if (seen != statistics_.end()) {
    known.clipped = seen->second.magnitudes.beyond(widest * static_cast<double>(limit()) + widest / 2);
  }
  if (weights != nullptr) {
    known.weight_scale = *std::ranges::max_element(weights->scales);
    known.weight_snr_db = weights->snr_db;
  }
  integers_[before] = {value, std::move(scales)};
  values_.push_back(std::move(known));
}

IntegerValues::Integer IntegerValues::as_integer(Value before) {
  if (const auto known = integers(before)) return *known;
  const std::string& name = graph_.node(before).name;
  const double scale = scale_of(before);
  Value value = to_.call("multiply", {as_float(before), number_in(to_, kFloat32, 1 / scale, name + ".steps")});
  value = to_.call("round", {value});
  value = to_.call("clip", {value}, {{"min", static_cast<double>(-limit())}, {"max", static_cast<double>(limit())}});
  value = to_.call("cast", {value}, {{"dtype", kInt8}}, name + ".int8");
  set(before, value, scale);
  return {value, scale};
}

Value IntegerValues::as_float(Value before) {
  std::vector<Value>& made = floats_[before.node];
  if (made.empty()) {
    const Integers& integers = integers_.at(before);
    const std::string& name = graph_.node(before).name;
    const Value value = to_.call("cast", {integers.value}, {{"dtype", kFloat32}}, name + ".float32");
    Tensor scales(kFloat32, {static_cast<int64_t>(integers.scales.size())});
    for (int64_t c = 0; c < scales.size(); ++c) scales.set_number(c, integers.scales[static_cast<size_t>(c)]);
    const char* const of = scales.size() == 1 ? ".scale" : ".scales";
    const Value factors = by_channel_in(to_, std::move(scales), value, name + of);
    made = {to_.call("multiply", {value, factors}, {}, name + ".values")};
  }
  return made[before.output];
}

void IntegerValues::copy(uint32_t n) {
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

Value IntegerValues::finish(Value sums, const Requantization& r, const std::optional<Integer>& addend, double scale,
                            double min, double max, const std::string& name) {
  const auto in_steps = [&](double limit_of_values) {
    const auto most = static_cast<double>(limit());
    return std::llround(std::isfinite(limit_of_values) ? std::clamp(std::round(limit_of_values / scale), -most, most)
                                                       : std::copysign(most, limit_of_values));
  };
  return requantized_in(to_, sums, r, addend ? std::optional(addend->value) : std::nullopt, in_steps(min),
                        in_steps(max), name);
}

QuantizedGraph IntegerValues::finish(std::vector<Value> outputs) && {
  to_.set_outputs(std::move(outputs));
  return {std::move(to_), std::move(values_)};
}

}  // namespace vantage::graph
