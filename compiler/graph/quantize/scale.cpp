#include "compiler/graph/quantize/scale.h"

#include <algorithm>
#include <cmath>

namespace vantage::graph {

double choose_scale(const Magnitudes& magnitudes, int bits, Scaling scaling, Range range) {
  const int64_t limit = integer_limit(bits);
  const auto scale_for = [&](double most) {
    const double scale = (most > 0 ? most : 1) / static_cast<double>(limit);
    return scaling == Scaling::kPowerOfTwo ? std::exp2(std::ceil(std::log2(scale))) : scale;
  };
  const double widest = scale_for(magnitudes.largest());
  if (range == Range::kMax) return widest;
  if (range == Range::kPercentile) return scale_for(magnitudes.percentile(kPercentileShare));
  const auto loss = [&](double scale) {
    return range == Range::kLeastError ? magnitudes.squared_error(scale, limit) : magnitudes.divergence(scale, limit);
  };
  // Each candidate cuts more than the one before.
  constexpr int kCoarse = 4, kFine = 40;
  double best = widest, least = loss(widest);
  for (int i = 1; i < (scaling == Scaling::kPowerOfTwo ? kCoarse : kFine); ++i) {
    const double scale = scaling == Scaling::kPowerOfTwo ? std::ldexp(widest, -i) : widest * (1 - i * 0.02);
    const double lost = loss(scale);
    if (lost < least) {
      least = lost;
      best = scale;
    }
  }
  return best;
}

}  // namespace vantage::graph
