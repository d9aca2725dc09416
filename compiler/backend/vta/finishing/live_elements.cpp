#include "compiler/backend/vta/finishing/live_elements.h"

#include <algorithm>

namespace vantage::vta {

void LiveElements::step_before(const Operation& operation) {
  const uint8_t needed = load_of(operation) != nullptr ? 0 : 1;
  for (const Access& access : operation.accesses) {
    if (access.space == Access::Space::kTensor) continue;
    std::vector<uint8_t>& elements = needed_[static_cast<size_t>(access.space)];
    if (elements.size() < access.end) elements.resize(access.end);
    std::fill(elements.begin() + static_cast<ptrdiff_t>(access.begin),
              elements.begin() + static_cast<ptrdiff_t>(access.end), needed);
  }
}

bool LiveElements::any(Access::Space space, uint64_t begin, uint64_t end) const {
  const std::vector<uint8_t>& elements = needed_.at(static_cast<size_t>(space));
  end = std::min<uint64_t>(end, elements.size());
  if (begin >= end) return false;
  const auto from = elements.begin() + static_cast<ptrdiff_t>(begin),
             to = elements.begin() + static_cast<ptrdiff_t>(end);
  return std::find(from, to, 1) != to;
}

}  // namespace vantage::vta
