#include "compiler/backend/vta/finishing/live_elements.h"

namespace vantage::vta {

void LiveElements::step_before(const Operation& operation) {
  const bool needed = load_of(operation) == nullptr;
  for_each_row_of(operation.accesses, [&](const Access& first, const std::vector<Interval>& row) {
    needed_[static_cast<size_t>(first.space)].assign(row, needed);
  });
}

bool LiveElements::any(Access::Space space, uint64_t begin, uint64_t end) const {
  return needed_.at(static_cast<size_t>(space)).any(begin, end, [](bool needed) { return needed; });
}

}  // namespace vantage::vta
