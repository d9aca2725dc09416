// What searches have found out about layers, for other searches on cores that differ in the sizes of their scratchpads
// alone: what tilings take, roughly, and what mappings take, exactly.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <vector>

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/conv2d/vta_tilings.h"
#include "compiler/ops/epilogue.h"
#include "compiler/ops/scratchpad_needs.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::ops {

// A mapping that was weighed on a core.
struct WeighedMapping {
  VtaConv2dMapping mapping;                    // in the order of instructions that takes the fewest cycles
  ScratchpadNeeds have;                        // of the core,
  ScratchpadNeeds needs;                       // and what of it the mapping needs, in every order that was tried
  uint64_t operations, instructions;           // that it is lowered to, and of its program in the first order
  uint64_t orders;                             // that were tried
  uint64_t limit;                              // that it was given
  std::optional<uint64_t> cycles, first = {};  // as VtaConv2dCost::fastest() says; in the first order
};

// A layer on cores that differ in the sizes of their scratchpads alone.
class KnownLayer {
 public:
  KnownLayer(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config, const MemoryTiming& memory);

  bool is(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
          const MemoryTiming& memory) const;

  std::vector<RatedTiling>& tilings() { return tilings_; }

  // What weighing a mapping on a core comes to, where that is known: null where it must be weighed.
  const WeighedMapping* find(const VtaConv2dMapping& mapping, const isa::Config& config, uint64_t limit) const;
  void add(WeighedMapping weighed);

 private:
  Conv2dShape shape_;
  Epilogue epilogue_;
  isa::ConfigKeys core_;  // but_for_scratchpads()
  MemoryTiming memory_;
  std::vector<RatedTiling> tilings_;
  std::deque<WeighedMapping> weighed_;
};

// Those that were asked for last.
class KnownLayers {
 public:
  // Good until the next call.
  KnownLayer& of(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                 const MemoryTiming& memory);

 private:
  std::list<KnownLayer> layers_;  // the last one first
};

}  // namespace vantage::ops
