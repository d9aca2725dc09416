// Consecutive elements, or bytes, or steps.
#pragma once

#include <cstdint>

namespace vantage::vta {

// [begin, end).
struct Interval {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool operator==(const Interval&) const = default;
};

}  // namespace vantage::vta
