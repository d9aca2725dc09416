#include "explore/draws.h"

#include "base/error.h"

namespace vantage::explore {

std::optional<BoundedDesign> bounded_design(const Space& space, uint64_t number, Measurer& measurer,
                                            std::optional<Rejection>& rejection) {
  constexpr size_t kMostBounds = 4096;  // a space may have more of them than memory
  if (measurer.known_bounds() > kMostBounds) measurer.forget_bounds();
  Space::Point point = space.at(number);
  rejection = std::move(point.rejection);
  if (!point.design) return std::nullopt;
  try {
    const Spent least = measurer.least(*point.design, measurer.bounds_of(*point.design));
    std::vector<double> at_least = measurer.values(*point.design, least);
    return BoundedDesign{number, std::move(*point.design), least, std::move(at_least)};
  } catch (const Error& error) {
    rejection = {"a workload cannot be had", error.what()};
    return std::nullopt;
  }
}

std::optional<BoundedDesign> Draws::next() {
  constexpr uint64_t kPatience = 100'000;
  for (uint64_t misses = 0; misses < kPatience && next_ < order_.size() && !stop_.stop_requested(); ++misses) {
    std::optional<Rejection> rejection;
    std::optional<BoundedDesign> drawn = bounded_design(space_, order_(next_++), measurer_, rejection);
    if (rejection) rejections_.add(*rejection);
    if (!drawn) continue;
    ++designs_;
    return drawn;
  }
  return std::nullopt;
}

}  // namespace vantage::explore
