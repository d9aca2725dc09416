#include "explore/account.h"

#include <algorithm>

namespace vantage::explore {

Account::Account(const Design& design, const BoundedLayers& layers, const energy::EnergyModel* model)
    : config_(&design.config), layers_(&layers) {
  if (model != nullptr) events_ = model->of(design.config);
  spent_ = {static_cast<double>(layers.cycles), pj(layers.counters, layers.activity, layers.cycles),
            layers.left_seconds};
}

double Account::pj(const isa::Counters& counters, const core::Activity& activity, uint64_t cycles) const {
  return events_ ? events_->spent(*config_, counters, activity, Cycles(cycles)).total_pj() : 0;
}

MeasuredLayer Account::measured(size_t place, const Evaluation& result) const {
  return {place, result.cycles, pj(result.counters, result.activity, result.cycles)};
}

MeasuredLayer Account::least(size_t place) const {
  const BoundedLayer& layer = layers_->layers[place];
  return {place, layer.bound, pj(layer.counters, layer.activity, layer.bound)};
}

void Account::replace(const MeasuredLayer& layer) {
  const MeasuredLayer before = least(layer.place);
  const auto repeats = static_cast<double>(layers_->layers[layer.place].layer.repeats);
  spent_.cycles += (static_cast<double>(layer.cycles) - static_cast<double>(before.cycles)) * repeats;
  spent_.pj += (layer.pj - before.pj) * repeats;
}

Spent sum_of(std::vector<MeasuredLayer> all, const BoundedLayers& layers) {
  std::ranges::sort(all, {}, &MeasuredLayer::place);
  Spent spent{.left_seconds = layers.left_seconds};
  for (const MeasuredLayer& layer : all) {
    const auto repeats = static_cast<double>(layers.layers[layer.place].layer.repeats);
    spent.cycles += static_cast<double>(layer.cycles) * repeats;
    spent.pj += layer.pj * repeats;
  }
  return spent;
}

}  // namespace vantage::explore
