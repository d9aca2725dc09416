#include "hw/energy/curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace vantage::energy {

Curve::Curve(std::vector<Point> points, double slope) : points_(std::move(points)), slope_(slope) {
  VANTAGE_CHECK(!points_.empty());
}

double Curve::at(double x) const {
  if (points_.size() == 1) return points_[0].y * std::pow(x / points_[0].x, slope_);
  const auto above = std::find_if(points_.begin() + 1, points_.end() - 1, [&](const Point& p) { return p.x >= x; });
  const Point &low = *(above - 1), &high = *above;
  const double slope = std::log(high.y / low.y) / std::log(high.x / low.x);
  return low.y * std::pow(x / low.x, slope);
}

}  // namespace vantage::energy
