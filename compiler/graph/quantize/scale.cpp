#include "compiler/graph/quantize/scale.h"

#include <algorithm>
#include <cmath>

namespace vantage::graph {

double choose_scale(const Magnitudes& magnitudes, int bits, Scaling scaling, ScaleChoice choice) {
  const int64_t limit = integer_limit(bits);
  const double largest = magnitudes.largest() > 0 ? magnitudes.largest() : 1;
  double widest = largest / static_cast<double>(limit);
  if (scaling == Scaling::kPowerOfTwo) widest = std::exp2(std::ceil(std::log2(widest)));
  if (choice == ScaleChoice::kLargest) return widest;
  // Each candidate cuts more than the one before.
  constexpr int kPowers = 4, kSteps = 40;
  double best = widest, least = magnitudes.squared_error(widest, limit);
  for (int i = 1; i < (scaling == Scaling::kPowerOfTwo ? kPowers : kSteps); ++i) {
    const double scale = scaling == Scaling::kPowerOfTwo ? std::ldexp(widest, -i) : widest * (1 - i * 0.02);
    const double error = magnitudes.squared_error(scale, limit);
    if (error < least) {
      least = error;
      best = scale;
    }
  }
  return best;
}

IntegerWeights quantize_weights(const Tensor& weights, const QuantizeOptions& options) {
  const int64_t outputs = weights.extent(0), each = weights.size() / outputs;
  const int64_t limit = integer_limit(options.weight_bits);
  const auto from = weights.values<float>();
  IntegerWeights result{Tensor(kInt8, weights.shape()), {}};
  if (options.per_channel) {
    for (int64_t o = 0; o < outputs; ++o) {
      float largest = 0;
      for (const float value : from.subspan(static_cast<size_t>(o * each), static_cast<size_t>(each))) {
        largest = std::max(largest, std::abs(value));
      }
      double scale = largest > 0 ? double{largest} / static_cast<double>(limit) : 1;
      if (options.scaling == Scaling::kPowerOfTwo) scale = std::exp2(std::ceil(std::log2(scale)));
      result.scales.push_back(scale);
    }
    // Outputs that are next to nothing need no finer scale than what the widest multiplier tells apart.
    const double widest = *std::max_element(result.scales.begin(), result.scales.end());
    for (double& scale : result.scales) scale = std::max(scale, std::ldexp(widest, -6));
  } else {
    Magnitudes magnitudes;
    magnitudes.add(weights);
    result.scales = {choose_scale(magnitudes, options.weight_bits, options.scaling, options.choice)};
  }
  double signal = 0, noise = 0;
  const auto to = result.values.values<int8_t>();
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
  return result;
}

}  // namespace vantage::graph
