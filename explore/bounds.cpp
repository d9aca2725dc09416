#include "explore/bounds.h"

#include <algorithm>

#include "compiler/backend/vta/timing/bound.h"

namespace vantage::explore {

const BoundedLayers& Bounds::of(const Design& design) {
  auto memory = std::ranges::find(memories_, design.memory);
  if (memory == memories_.end()) memory = memories_.insert(memories_.end(), design.memory);
  const isa::ConfigKeys& k = design.config.keys();
  const Class what = {k.log_inp_width, k.log_wgt_width, k.log_acc_width,
                      k.log_batch,     k.log_block_in,  k.log_block_out,
                      k.log_bus_width, k.clock_mhz,     static_cast<int>(memory - memories_.begin())};
  std::unique_ptr<BoundedLayers>& known = known_[what];
  if (known != nullptr) return *known;
  auto made = std::make_unique<BoundedLayers>();
  const Design roomy = with_room(design);
  for (const Workload& workload : workloads_) {
    made->parted.push_back(workload.layers(roomy));
    for (const Layer& layer : made->parted.back().accelerator) {
      const vta::Bound bound = vta::bound_of(ops::work_of(layer.task, roomy.config), roomy.config, roomy.memory);
      const auto cycles = static_cast<uint64_t>(bound.cycles());
      made->cycles += cycles * layer.repeats;
      made->layers.push_back({layer, ops::key(layer.task), cycles});
    }
  }
  known = std::move(made);
  return *known;
}

}  // namespace vantage::explore
