#include "workload/measure.h"

namespace vantage::workload {

std::optional<double> Measurement::gops() const {
  if (!seconds) return std::nullopt;
  return static_cast<double>(operations) / *seconds * 1e-9;
}

std::optional<double> Measurement::roofline_share() const {
  if (!seconds || !roofline) return std::nullopt;
  return *gops() * 1e9 / roofline->attainable(intensity());
}

}  // namespace vantage::workload
