// Results that are too large to be computed twice: some of their elements are.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/tensor/tensor.h"

namespace vantage::workload {

// Looks at 512 elements, the same ones every time, each of which `expected` has by its number in order: a sum of some
// thousand products of numbers not far above 1, in double. The first that is not that as the tensor's type has it, in a
// line; nothing where there is none.
std::optional<std::string> wrong_element(const Tensor& results, const std::function<double(int64_t)>& expected);

}  // namespace vantage::workload
