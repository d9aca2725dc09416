#include "compiler/graph/quantize/weights.h"

#include <algorithm>
#include <cmath>

#include "compiler/graph/quantize/scale.h"

namespace vantage::graph {

namespace {

// Outputs that are next to nothing need no finer scale than what the widest multiplier tells apart.
double finest(double widest) {
  return std::ldexp(widest, -6);
}

// Whether that holds.
bool is_even(const IntegerWeights& weights) {
  const auto [least, widest] = std::ranges::minmax_element(weights.scales);
  return *least >= finest(*widest);
}

// A reshape of weights whose groups are an axis of their own, [.., groups, each, ..].
std::optional<NarrowWeights> find_groups(const Graph& graph, const Node& reshape) {
  if (!graph.node(reshape.inputs[0]).is_call("multiply")) return std::nullopt;
  auto found = find_narrow_weights(graph, reshape.inputs[0]);
  const Tensor::Shape& shape = reshape.types[0].shape;
  if (!found || shape.size() != 2 || found->integers->rank() != 3 || found->scales->rank() != 3) return std::nullopt;
  for (size_t axis = 0; axis < 2; ++axis) {
    const Tensor &integers = *found->integers, &scales = *found->scales;
    const bool joins = scales.extent(axis) == integers.extent(axis) && scales.extent(axis + 1) == 1 &&
                       shape[axis] == integers.extent(axis) * integers.extent(axis + 1);
    if (!joins || integers.extent(axis) == 1) continue;
    const size_t other = axis == 0 ? 2 : 0;
    const Tensor::Shape of_scales = axis == 0 ? Tensor::Shape{scales.extent(0), scales.extent(other)}
                                              : Tensor::Shape{scales.extent(other), scales.extent(1)};
    return NarrowWeights{std::make_shared<const Tensor>(integers.reshaped(shape)),
                         std::make_shared<const Tensor>(scales.reshaped(of_scales))};
  }
  return std::nullopt;
}

}  // namespace

IntegerWeights quantize_weights(const Tensor& weights, const QuantizeOptions& options) {
  const int64_t outputs = weights.extent(0), each = weights.size() / outputs;
  const int64_t limit = integer_limit(options.weight_bits);
  const auto from = weights.values<float>();
  Tensor values(kInt8, weights.shape());
  IntegerWeights result;
  if (options.per_channel) {
    for (int64_t o = 0; o < outputs; ++o) {
      float largest = 0;
      for (const float value : from.subspan(static_cast<size_t>(o * each), static_cast<size_t>(each))) {
        largest = std::max(largest, std::abs(value));
      }
      double scale = double{largest} / static_cast<double>(limit);
      if (scale > 0 && options.scaling == Scaling::kPowerOfTwo) scale = std::exp2(std::ceil(std::log2(scale)));
      result.scales.push_back(scale);
    }
    // Zeros alone have whatever scale is the finest beside the others.
    const double widest = *std::max_element(result.scales.begin(), result.scales.end());
    for (double& scale : result.scales) scale = widest > 0 ? std::max(scale, finest(widest)) : 1;
  } else {
    Magnitudes magnitudes;
    magnitudes.add(weights);
    result.scales = {choose_scale(magnitudes, options.weight_bits, options.scaling, options.range)};
  }
  double signal = 0, noise = 0;
  const auto to = values.values<int8_t>();
  for (int64_t o = 0; o < outputs; ++o) {
    const double scale = result.scale(o), per_scale = 1 / scale;
    for (auto e = static_cast<size_t>(o * each); e < static_cast<size_t>((o + 1) * each); ++e) {
      const double value = double{from[e]};
      const double rounded =
          std::clamp(std::nearbyint(value * per_scale), -static_cast<double>(limit), static_cast<double>(limit));
      to[e] = static_cast<int8_t>(rounded);
      signal += value * value;
      noise += (value - rounded * scale) * (value - rounded * scale);
    }
  }
  result.snr_db = noise > 0 ? 10 * std::log10(signal / noise) : 200;
  result.values = std::make_shared<const Tensor>(std::move(values));
  return result;
}

bool NarrowWeights::has_groups() const {
  for (size_t d = 0; scales->size() > 1 && d < integers->rank(); ++d) {
    if (scales->extent(d) != 1 && scales->extent(d) != integers->extent(d)) return true;
  }
  return false;
}

std::optional<NarrowWeights> find_narrow_weights(const Graph& graph, Value value) {
  const Node& multiply = graph.node(value);
  if (multiply.is_call("reshape")) return find_groups(graph, multiply);
  if (!multiply.is_call("multiply")) return std::nullopt;
  const Node& cast = graph.node(multiply.inputs[0]);
  const std::shared_ptr<const Tensor>& scales = graph.node(multiply.inputs[1]).constant;
  if (!cast.is_call("cast") || scales == nullptr || cast.types[0] != multiply.types[0]) return std::nullopt;
  const std::shared_ptr<const Tensor>& integers = graph.node(cast.inputs[0]).constant;
  const bool fits = integers != nullptr && integers->dtype() == kInt8 && scales->dtype() == kFloat32 &&
                    integers->rank() > 0 && (scales->size() == 1 || integers->rank() == scales->rank());
  if (!fits) return std::nullopt;
  for (const float scale : scales->values<float>()) {
    if (!(scale > 0 && std::isfinite(scale))) return std::nullopt;
  }
  return NarrowWeights{integers, scales};
}

Value add_narrow_weights(Graph& graph, const NarrowWeights& weights, const std::string& name) {
  NarrowWeights flat = weights;
  if (weights.has_groups()) {
    // [.., groups, each, ..], with a scale for all of each.
    Tensor::Shape integers, scales;
    for (size_t d = 0; d < weights.integers->rank(); ++d) {
      const int64_t extent = weights.integers->extent(d), count = weights.scales->extent(d);
      integers.push_back(count == 1 ? extent : count);
      scales.push_back(count);
      if (count == 1 || count == extent) continue;
      integers.push_back(extent / count);
      scales.push_back(1);
    }
    flat.integers = std::make_shared<const Tensor>(weights.integers->reshaped(integers));
    flat.scales = std::make_shared<const Tensor>(weights.scales->reshaped(scales));
  }
  const Value values = graph.constant(flat.integers, name);
  const Value floats = graph.call("cast", {values}, {{"dtype", kFloat32}}, name + ".float32");
  const Value scaled =
      graph.call("multiply", {floats, graph.constant(flat.scales, name + ".scales")}, {}, name + ".values");
  if (!weights.has_groups()) return scaled;
  const Tensor::Shape& shape = weights.integers->shape();
  return graph.call("reshape", {scaled}, {{"shape", ops::Integers(shape.begin(), shape.end())}}, name + ".matrix");
}

Tensor floats_of(const NarrowWeights& weights) {
  Tensor floats(kFloat32, weights.integers->shape());
  const auto from = weights.integers->values<int8_t>();
  const auto scales = weights.scales->values<float>();
  const auto to = floats.values<float>();
  const size_t rank = floats.rank();
  Tensor::Shape at(rank, 0);
  for (size_t e = 0; e < to.size(); ++e) {
    int64_t scale = 0;
    for (size_t d = 0; scales.size() > 1 && d < rank; ++d) {
      const int64_t count = weights.scales->extent(d);
      scale = scale * count + at[d] / (floats.extent(d) / count);
    }
    to[e] = static_cast<float>(from[e]) * scales[static_cast<size_t>(scale)];
    for (size_t d = rank; d-- > 0 && ++at[d] == floats.extent(d);) at[d] = 0;
  }
  return floats;
}

NarrowWeights quantize_in_groups(const Tensor& weights, int bits, int64_t group) {
  const int64_t outputs = weights.extent(0), depth = weights.extent(1);
  const int64_t each = depth % group == 0 ? group : depth;
  const auto limit = static_cast<float>(integer_limit(bits));
  Tensor integers(kInt8, weights.shape()), scales(kFloat32, {outputs, depth / each});
  const auto from = weights.values<float>();
  for (int64_t s = 0; s < scales.size(); ++s) {
    float largest = 0;
    const auto part = from.subspan(static_cast<size_t>(s * each), static_cast<size_t>(each));
    for (const float value : part) largest = std::max(largest, std::abs(value));
    const float scale = largest > 0 ? largest / limit : 1;
    scales.set_number(s, double{scale});
    for (int64_t e = 0; e < each; ++e) {
      const float steps = std::nearbyint(part[static_cast<size_t>(e)] / scale);
      integers.set_integer(s * each + e, static_cast<int64_t>(std::clamp(steps, -limit, limit)));
    }
  }
  return {std::make_shared<const Tensor>(std::move(integers)), std::make_shared<const Tensor>(std::move(scales))};
}

Value dequantized(Graph& graph, const IntegerWeights& weights, const std::string& name) {
  const Tensor& integers = *weights.values;
  Tensor::Shape shape(integers.rank(), 1);
  shape[0] = integers.extent(0);
  Tensor scales(kFloat32, std::move(shape));
  for (int64_t o = 0; o < scales.size(); ++o) scales.set_number(o, weights.scale(o));
  return add_narrow_weights(graph, {weights.values, std::make_shared<const Tensor>(std::move(scales))}, name);
}

std::optional<IntegerWeights> find_dequantized(const Graph& graph, Value value) {
  const auto narrow = find_narrow_weights(graph, value);
  if (!narrow || narrow->has_groups()) return std::nullopt;
  const Tensor& scales = *narrow->scales;
  if (scales.size() > 1 && scales.extent(0) != scales.size()) return std::nullopt;
  IntegerWeights weights{narrow->integers, {}, 200};
  for (const float scale : scales.values<float>()) weights.scales.push_back(double{scale});
  return weights;
}

bool is_dequantized(const Graph& graph, Value value) {
  return find_dequantized(graph, value).has_value();
}

bool is_weight(const Graph& graph, Value value) {
  if (graph.node(value).constant != nullptr) return true;
  const auto narrow = find_narrow_weights(graph, value);
  return narrow && (is_dequantized(graph, value) || (narrow->has_groups() && narrow->integers->rank() == 2));
}

IntegerWeights integer_weights(const Graph& graph, Value value, const QuantizeOptions& options) {
  if (auto known = find_dequantized(graph, value)) {
    if (options.weight_bits >= 8 && is_even(*known)) return *std::move(known);
  }
  if (const auto narrow = find_narrow_weights(graph, value)) return quantize_weights(floats_of(*narrow), options);
  return quantize_weights(*graph.node(value).constant, options);
}

}  // namespace vantage::graph
