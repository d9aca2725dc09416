#include "compiler/ops/conv2d/vta_known.h"

#include <algorithm>

namespace vantage::ops {

namespace {

isa::ConfigKeys without_scratchpads(const isa::Config& config) {
  isa::ConfigKeys keys = config.keys();
  keys.log_uop_buff_size = keys.log_inp_buff_size = keys.log_wgt_buff_size = keys.log_acc_buff_size = 0;
  return keys;
}

bool is_but_for_order(const VtaConv2dMapping& one, const VtaConv2dMapping& other) {
  return one.parts == other.parts;
}

}  // namespace

KnownLayer::KnownLayer(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                       const MemoryTiming& memory)
    : shape_(shape),
      epilogue_(epilogue),
      core_(without_scratchpads(config)),
      memory_(memory),
      tilings_(rated_tilings(shape, epilogue, config, {}, memory, false)) {}

bool KnownLayer::is(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                    const MemoryTiming& memory) const {
  return shape_ == shape && epilogue_ == epilogue && memory_ == memory && core_ == without_scratchpads(config);
}

const WeighedMapping* KnownLayer::find(const VtaConv2dMapping& mapping, const isa::Config& config,
                                       uint64_t limit) const {
  const auto found = std::ranges::find_if(weighed_, [&](const WeighedMapping& w) {
    return is_but_for_order(w.mapping, mapping) && (w.cycles.has_value() || limit <= w.limit) &&
           is_same_program(shape_, epilogue_, mapping, w.have, w.needs, config);
  });
  return found == weighed_.end() ? nullptr : &*found;
}

KnownLayer& KnownLayers::of(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                            const MemoryTiming& memory) {
  constexpr size_t kMost = 32;  // each of some megabytes
  const auto same =
      std::ranges::find_if(layers_, [&](const KnownLayer& known) { return known.is(shape, epilogue, config, memory); });
  if (same != layers_.end()) {
    layers_.splice(layers_.begin(), layers_, same);
  } else {
    if (layers_.size() == kMost) layers_.pop_back();
    layers_.emplace_front(shape, epilogue, config, memory);
  }
  return layers_.front();
}

}  // namespace vantage::ops
