// Scales of integers.
#pragma once

#include "compiler/graph/quantize/quantize.h"

namespace vantage::graph {

// The largest integer of so many bits.
inline int64_t integer_limit(int bits) {
  return (int64_t{1} << (bits - 1)) - 1;
}

// Of values of these magnitudes in so many bits. A power of two where scalings are.
double choose_scale(const Magnitudes& magnitudes, int bits, Scaling scaling, ScaleChoice choice);

// Weights [outputs, ...] as integers, and their scales: one, or one for each output.
struct IntegerWeights {
  Tensor values;  // int8, of the same shape
  std::vector<double> scales;
  double snr_db = 0;  // their squares by those of their errors; 200 where nothing is lost

  double scale(int64_t output) const { return scales[scales.size() == 1 ? 0 : static_cast<size_t>(output)]; }
};
IntegerWeights quantize_weights(const Tensor& weights, const QuantizeOptions& options);

}  // namespace vantage::graph
