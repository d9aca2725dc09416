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

// When beats leave a buffer that gives one a cycle, from cycle `next` on at the earliest, and that holds them from
// their own cycles on: one a cycle until what lies in the buffer is used up, then as they come. Either part may be
// empty.
struct Drained {
  Progression at_once, as_they_come;
};
inline Drained drained(const Progression& held, isa::Cycle next) {
  const isa::Cycle first = std::max(held.first, next);
  uint64_t waiting = held.count;
  if (held.step > 1) waiting = std::min(waiting, (first - held.first + held.step - 2) / (held.step - 1));
  return {{first, 1, waiting}, {held.at(waiting), held.step, held.count - waiting}};
}

}  // namespace vantage
