#include "workload/measure.h"

namespace vantage::workload {

std::optional<double> Measurement::useful_gops() const {
  if (!seconds) return std::nullopt;
  return static_cast<double>(useful_operations) / *seconds * 1e-9;
}

std::optional<double> Measurement::executed_gops() const {
  if (!seconds || !executed_operations) return std::nullopt;
  return static_cast<double>(*executed_operations) / *seconds * 1e-9;
}

std::optional<double> Measurement::roofline_share() const {
  if (!seconds || !roofline) return std::nullopt;
  return *useful_gops() * 1e9 / roofline->attainable(intensity());
}

}  // namespace vantage::workload
