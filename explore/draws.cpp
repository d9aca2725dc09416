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
    const BoundedLayers& layers = measurer.bounds_of(*point.design);
    rejection = Measurer::without_room(*point.design, layers);
    if (rejection) return std::nullopt;
    const Spent least = measurer.least(*point.design, layers);
    std::vector<double> at_least = measurer.values(*point.design, least);
    return BoundedDesign{number, std::move(*point.design), least, std::move(at_least)};
  } catch (const Error& error) {
    rejection = {"a workload cannot be had", error.what()};
    return std::nullopt;
  }
}

std::optional<BoundedDesign> Draws::next() {
  constexpr uint64_t kPatience = 100'000;
  while (misses_ < kPatience && next_ < order_.size() && !stop_.stop_requested()) {
    std::optional<Rejection> rejection;
    std::optional<BoundedDesign> drawn = bounded_design(space_, order_(next_++), measurer_, rejection);
    if (rejection) rejections_.add(*rejection);
    misses_ = drawn ? 0 : misses_ + 1;
    if (drawn) return drawn;
  }
  return std::nullopt;
}

}  // namespace vantage::explore
