#include "explore/front.h"

#include <algorithm>

#include "explore/objectives.h"

namespace vantage::explore {

std::vector<const Measured*> designs_on_front(const std::vector<Measured>& measured) {
  std::vector<const Measured*> front;
  for (const Measured& design : measured) {
    if (design.on_front) front.push_back(&design);
  }
  std::ranges::sort(front, {}, [](const Measured* design) { return std::pair(design->values, design->number); });
  return front;
}

const Measured* Front::beats(const std::vector<double>& values) const {
  const auto found = std::ranges::find_if(designs_, [&](const Measured& m) { return dominates(m.values, values); });
  return found == designs_.end() ? nullptr : &*found;
}

void Front::add(Measured design) {
  if (beats(design.values) != nullptr) return;
  std::erase_if(designs_, [&](const Measured& other) { return dominates(design.values, other.values); });
  designs_.push_back(std::move(design));
}

void Front::sort() {
  std::ranges::sort(designs_, {}, &Measured::number);
}

}  // namespace vantage::explore
