#include "explore/bounds.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/vta/timing/bound.h"

namespace vantage::explore {

namespace {

// Of beats that are not full at least a byte of the last one is asked for.
uint64_t least_bytes(int64_t beats, const isa::Config& config) {
  return beats == 0 ? 0 : static_cast<uint64_t>(beats - 1) * config.bus_width().count() + 1;
}

void count_least(const vta::Work& work, const isa::Config& config, BoundedLayer& layer) {
  const auto steps = static_cast<uint64_t>(work.gemm_steps);
  layer.counters.gemm_counter = steps;
  // Whichever scratchpad they are for, bytes of memory take the same.
  layer.counters.inp_load_nbytes = least_bytes(work.read_beats, config);
  layer.counters.out_store_nbytes = least_bytes(work.store_beats, config);
  core::Activity& a = layer.activity;
  a.uop_reads = a.inp_reads = a.wgt_reads = a.acc_reads = a.acc_writes = a.out_writes = steps;
}

}  // namespace

const BoundedLayers& Bounds::of(const Design& design) {
  auto memory = std::ranges::find(memories_, design.memory);
  if (memory == memories_.end()) memory = memories_.insert(memories_.end(), design.memory);
  const isa::ConfigKeys& k = design.config.keys();
  const Class what = {k.log_inp_width, k.log_wgt_width, k.log_acc_width,
                      k.log_batch,     k.log_block_in,  k.log_block_out,
                      k.log_bus_width, k.clock_mhz,     static_cast<int>(memory - memories_.begin())};
  Answer& known = known_[what];
  if (known.layers == nullptr && known.error.empty()) {
    try {
      known.layers = bounded(with_room(design));
    } catch (const Error& error) {
      known.error = error.what();
    }
  }
  if (known.layers == nullptr) throw Error(known.error);
  return *known.layers;
}

std::unique_ptr<BoundedLayers> Bounds::bounded(const Design& roomy) const {
  auto made = std::make_unique<BoundedLayers>();
  for (const Workload& workload : workloads_) {
    made->parted.push_back(workload.layers(roomy));
    const Layers& parted = made->parted.back();
    require_some(parted, workload.name);
    for (const LeftLayer& left : parted.processor) made->left_seconds += left.seconds;
    for (const Layer& layer : parted.accelerator) {
      const vta::Work work = ops::work_of(layer.task, roomy.config);
      const vta::Bound bound = vta::bound_of(work, roomy.config, roomy.memory);
      BoundedLayer bounded{layer, ops::key(layer.task), static_cast<uint64_t>(bound.cycles())};
      count_least(work, roomy.config, bounded);
      made->cycles += bounded.bound * layer.repeats;
      for (const isa::CounterInfo& info : isa::kCounters) {
        made->counters.*info.value += bounded.counters.*info.value * layer.repeats;
      }
      for (const core::ActivityInfo& info : core::kActivity) {
        made->activity.*info.value += bounded.activity.*info.value * layer.repeats;
      }
      made->layers.push_back(std::move(bounded));
    }
  }
  return made;
}

}  // namespace vantage::explore
