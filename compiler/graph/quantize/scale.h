// Scales of integers.
#pragma once

#include "compiler/graph/quantize/quantize.h"

namespace vantage::graph {

// The largest integer of so many bits.
inline int64_t integer_limit(int bits) {
  return (int64_t{1} << (bits - 1)) - 1;
}

// Of values of these magnitudes in so many bits. A power of two where scalings are.
double choose_scale(const Magnitudes& magnitudes, int bits, Scaling scaling, Range range);

}  // namespace vantage::graph
