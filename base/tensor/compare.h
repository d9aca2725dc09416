// Tensors compared, for tests and for results of devices.
//
// Thread safety: functions without state.
#pragma once

#include <optional>
#include <string>

#include "base/tensor/tensor.h"

namespace vantage {

// Numbers agree when |expected - got| <= absolute + relative * |expected|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

// The first difference in one line, nothing when there is none. Strides do not matter; NaN equals NaN and 0 equals -0.
std::optional<std::string> difference(const Tensor& expected, const Tensor& got, Tolerance tolerance = {});

}  // namespace vantage
