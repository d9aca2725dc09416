// Cycles at equal distances: when the beats of a burst pass. What happens once a beat is kept like this, so that a
// model's work does not grow with the beats.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/isa/timing.h"

namespace vantage {

struct Progression {
  isa::Cycle first;
  uint64_t step = 1;  // cycles
  uint64_t count = 0;

  isa::Cycle at(uint64_t i) const { return first + i * step; }
  // REQUIRES: count > 0
  isa::Cycle last() const { return at(count - 1); }

  // How many lie before cycle `end`.
  uint64_t before(isa::Cycle end) const {
    if (end <= first) return 0;
    return std::min(count, (end - first - 1) / step + 1);
  }
};

}  // namespace vantage
