// The cycles that designs take at least: nothing is searched for, so that a million designs a second can be looked at.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "explore/design.h"
#include "explore/workload.h"
#include "hw/core/activity.h"
#include "hw/isa/counters.h"

namespace vantage::explore {

// A program of a workload, and the cycles that none takes fewer than (compiler/backend/vta/timing/bound.h). It depends
// on the core's tile, its bus and the memory, and not on scratchpads.
struct BoundedLayer {
  Layer layer;
  std::string key;  // of its task
  uint64_t bound = 0;
  // What is counted at the least: multiplications, what they read and write, and each byte that must cross the bus.
  isa::Counters counters = {};
  core::Activity activity = {};
};

// All programs of all workloads on designs that differ in scratchpads alone.
struct BoundedLayers {
  std::vector<Layers> parted;        // of each workload
  std::vector<BoundedLayer> layers;  // of all of them
  // Of all of them, as often as they are run.
  uint64_t cycles = 0;
  isa::Counters counters = {};
  core::Activity activity = {};
  double left_seconds = 0;  // that a processor beside it takes for what the accelerator leaves, roughly
};

class Bounds {
 public:
  explicit Bounds(const std::vector<Workload>& workloads) : workloads_(workloads) {}

  // What the accelerator takes of the workloads where scratchpads have room for all of it. Throws Error where a design
  // cannot have a workload, or takes nothing of it: it would be the fastest of all.
  const BoundedLayers& of(const Design& design);
  // How many answers there were, and to know none of them any more: then they are gone.
  size_t size() const { return known_.size(); }
  void forget() { known_.clear(); }

 private:
  // The keys that matter, and the place of the memory in memories_.
  using Class = std::array<int, 9>;
  struct Answer {
    std::unique_ptr<BoundedLayers> layers = {};
    std::string error = {};  // without layers
  };

  std::unique_ptr<BoundedLayers> bounded(const Design& roomy) const;

  const std::vector<Workload>& workloads_;
  std::vector<MemoryTiming> memories_;
  std::map<Class, Answer> known_;
};

}  // namespace vantage::explore
