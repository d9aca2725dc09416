// Which elements of the scratchpads a later operation still needs, as one goes through a list from its end.
#pragma once

#include <array>
#include <cstdint>

#include "compiler/backend/vta/element_map.h"
#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Behind the last operation nobody needs any. What computes may read what it writes; a load writes all of what it
// declares.
// Thread safety: none.
class LiveElements {
 public:
  // Goes from behind an operation to before it.
  void step_before(const Operation& operation);
  // Whether one of [begin, end) is needed. REQUIRES: a scratchpad
  bool any(Access::Space space, uint64_t begin, uint64_t end) const;

 private:
  std::array<ElementMap<bool>, 3> needed_;  // by space
};

}  // namespace vantage::vta
