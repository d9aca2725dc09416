// A quantity known at a few points and a power law between them: straight lines in logarithms of both, which is how the
// energy of memories grows with their size and that of multipliers with their width.
//
// Thread safety: const access from any thread.
#pragma once

#include <vector>

namespace vantage::energy {

class Curve {
 public:
  struct Point {
    double x = 0, y = 0;
  };

  // REQUIRES: a point or more, x growing, all x and y above 0. `slope`: of the line through a single point.
  Curve(std::vector<Point> points, double slope);

  // Beyond the points on the line of the nearest two. REQUIRES: x > 0.
  double at(double x) const;

 private:
  std::vector<Point> points_;
  double slope_;
};

}  // namespace vantage::energy
