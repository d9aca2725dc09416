#include "compiler/ops/conv2d/vta_known.h"

#include <algorithm>

namespace vantage::ops {

namespace {

constexpr size_t kMostTilings = 1'000'000;  // of all layers together: some 130 MB
constexpr size_t kMostWeighed = 5'000;      // mappings of one

bool is_but_for_order(const VtaConv2dMapping& one, const VtaConv2dMapping& other) {
  return one.parts == other.parts;
}

}  // namespace

KnownLayer::KnownLayer(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                       const MemoryTiming& memory)
    : shape_(shape),
      epilogue_(epilogue),
      core_(but_for_scratchpads(config)),
      memory_(memory),
      tilings_(rated_tilings(shape, epilogue, config, {}, memory, false)) {}

bool KnownLayer::is(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                    const MemoryTiming& memory) const {
  return shape_ == shape && epilogue_ == epilogue && memory_ == memory && core_ == but_for_scratchpads(config);
}

const WeighedMapping* KnownLayer::find(const VtaConv2dMapping& mapping, const isa::Config& config,
                                       uint64_t limit) const {
  const auto found = std::ranges::find_if(weighed_, [&](const WeighedMapping& w) {
    return is_but_for_order(w.mapping, mapping) && (w.cycles.has_value() || limit <= w.limit) &&
           is_same_program(shape_, epilogue_, mapping, w.have, w.needs, config);
  });
  return found == weighed_.end() ? nullptr : &*found;
}

void KnownLayer::add(WeighedMapping weighed) {
  if (weighed_.size() == kMostWeighed) weighed_.pop_front();
  weighed_.push_back(std::move(weighed));
}

KnownLayer& KnownLayers::of(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                            const MemoryTiming& memory) {
  const auto same =
      std::ranges::find_if(layers_, [&](const KnownLayer& known) { return known.is(shape, epilogue, config, memory); });
  if (same != layers_.end()) {
    layers_.splice(layers_.begin(), layers_, same);
  } else {
    layers_.emplace_front(shape, epilogue, config, memory);
    size_t tilings = layers_.front().tilings().size();
    const auto is_too_much = [&](KnownLayer& known) { return (tilings += known.tilings().size()) > kMostTilings; };
    layers_.erase(std::find_if(std::next(layers_.begin()), layers_.end(), is_too_much), layers_.end());
  }
  return layers_.front();
}

}  // namespace vantage::ops
