// Points of spaces as places of values, for searches that change one value after another.
#include "explore/space.h"

namespace vantage::explore {

// The first gene says which of the points that are written out it is; 0: one of the others. Where all combinations are
// points, each parameter is a gene; a sample has no such order, and its points are one gene.
std::vector<uint64_t> Space::sizes() const {
  const uint64_t written = given_.size() + listed_.size();
  std::vector<uint64_t> sizes;
  if (!samples_) return {written};
  if (written > 0) sizes.push_back(written + 1);
  if (sampling_->is_product()) {
    for (const Parameter& parameter : parameters_) sizes.push_back(parameter.values.size());
  } else {
    sizes.push_back(sampling_->size());
  }
  return sizes;
}

uint64_t Space::number_of(std::vector<uint64_t> places) const {
  const uint64_t written = given_.size() + listed_.size();
  if (!samples_) return places[0];
  if (written > 0) {
    if (places[0] > 0) return places[0] - 1;
    places.erase(places.begin());
  }
  if (!sampling_->is_product()) return written + places[0];
  Combination combination = combine(places);
  for (size_t p = 0; p < places.size(); ++p) {
    if (!combination.counts[p]) places[p] = 0;
  }
  return written + sampling_->number_of(places);
}

std::vector<uint64_t> Space::places_of(uint64_t number) const {
  const uint64_t written = given_.size() + listed_.size();
  if (!samples_) return {number};
  const bool is_written = number < written;
  std::vector<uint64_t> places;
  if (sampling_->is_product()) {
    places = (*sampling_)(is_written ? 0 : number - written);
  } else {
    places = {is_written ? 0 : number - written};
  }
  if (written > 0) places.insert(places.begin(), is_written ? number + 1 : 0);
  return places;
}

}  // namespace vantage::explore
