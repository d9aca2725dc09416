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

std::optional<NarrowWeights> find_narrow_weights(const Graph& graph, Value value) {
  const Node& multiply = graph.node(value);
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
  const Value values = graph.constant(weights.integers, name);
  const Value floats = graph.call("cast", {values}, {{"dtype", kFloat32}}, name + ".float32");
  return graph.call("multiply", {floats, graph.constant(weights.scales, name + ".scales")}, {}, name + ".values");
}

Tensor floats_of(const NarrowWeights& weights) {
  const Tensor::Shape& shape = weights.integers->shape();
  Tensor floats(kFloat32, shape);
  const auto from = weights.integers->values<int8_t>();
  const auto scales = weights.scales->values<float>();
  const auto to = floats.values<float>();
  // How far apart the scales of neighbours along each axis are.
  std::vector<size_t> strides(shape.size(), 0);
  if (scales.size() > 1) {
    size_t stride = 1;
    for (size_t d = shape.size(); d-- > 0;) {
      const auto extent = static_cast<size_t>(weights.scales->extent(d));
      strides[d] = extent == 1 ? 0 : stride;
      stride *= extent;
    }
  }
  Tensor::Shape at(shape.size(), 0);
  size_t scale = 0;
  for (size_t e = 0; e < to.size(); ++e) {
    to[e] = static_cast<float>(from[e]) * scales[scale];
    for (size_t d = shape.size(); d-- > 0;) {
      scale += strides[d];
      if (++at[d] < shape[d]) break;
      scale -= strides[d] * static_cast<size_t>(shape[d]);
      at[d] = 0;
    }
  }
  return floats;
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
  if (!narrow) return std::nullopt;
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
  return graph.node(value).constant != nullptr || is_dequantized(graph, value);
}

IntegerWeights integer_weights(const Graph& graph, Value value, const QuantizeOptions& options) {
  if (auto known = find_dequantized(graph, value)) {
    if (options.weight_bits >= 8 && is_even(*known)) return *std::move(known);
    return quantize_weights(floats_of(*find_narrow_weights(graph, value)), options);
  }
  return quantize_weights(*graph.node(value).constant, options);
}

}  // namespace vantage::graph
