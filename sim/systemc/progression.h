// Cycles at equal distances: when the beats of a burst pass. Everything that happens once a beat is kept like this, so
// the model's work does not grow with the beats.
#pragma once

#include <algorithm>

#include "sim/systemc/clock.h"

namespace vantage::systemc {

struct Progression {
  Cycle first = 0;
  uint64_t step = 1;
  uint64_t count = 0;

  Cycle at(uint64_t i) const { return first + i * step; }
  // REQUIRES: count > 0
  Cycle last() const { return at(count - 1); }

  // How many lie before cycle `end`.
  uint64_t before(Cycle end) const {
    if (end <= first) return 0;
    return std::min(count, (end - first - 1) / step + 1);
  }
};

}  // namespace vantage::systemc
