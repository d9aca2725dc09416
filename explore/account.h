// What a design's programs take together, at the least at first: each that is measured takes the place of its bound.
//
// Thread safety: values.
#pragma once

#include <optional>
#include <vector>

#include "explore/bounds.h"
#include "explore/evaluate.h"
#include "explore/objectives.h"
#include "hw/energy/energy_model.h"

namespace vantage::explore {

// A program that was measured: its place among the layers of the bounds, and what one run of it takes.
struct MeasuredLayer {
  size_t place = 0;
  uint64_t cycles = 0;
  double pj = 0;  // 0 without an energy model
  bool operator==(const MeasuredLayer&) const = default;
};

class Account {
 public:
  // `model` may be null.
  Account(const Design& design, const BoundedLayers& layers, const energy::EnergyModel* model);

  const Spent& spent() const { return spent_; }
  MeasuredLayer measured(size_t place, const Evaluation& result) const;
  // What a layer takes at the least; `cycles` and `pj` are those of its bound.
  MeasuredLayer least(size_t place) const;
  void replace(const MeasuredLayer& layer);

 private:
  double pj(const isa::Counters& counters, const core::Activity& activity, uint64_t cycles) const;

  const isa::Config* config_;
  const BoundedLayers* layers_;
  std::optional<energy::EventEnergies> events_;
  Spent spent_;
};

// Of all layers, added up in their order whatever the order in which they were measured: sums of designs that spend the
// same are the same to the last bit.
Spent sum_of(std::vector<MeasuredLayer> all, const BoundedLayers& layers);

}  // namespace vantage::explore
