// The best tiling for an elementwise layer, and how good it is.
#pragma once

#include <cstdint>

#include "compiler/backend/vta/timing/bound.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "hw/memory/memory_timing.h"

namespace vantage::ops {

// What every program for a layer must do: read each operand once, take every step for every element, write it.
vta::Work elementwise_work(const Elementwise& layer, const isa::Config& config);

struct ElementwiseSearch {
  ElementwiseTiling tiling;
  uint64_t cycles = 0;   // as its program is estimated (compiler/backend/vta/timing)
  vta::Bound bound;      // that no schedule of this layer beats
  uint64_t weighed = 0;  // programs

  // How far it may be from the best there is: 0.014 is 1.4 %.
  double gap() const { return static_cast<double>(cycles) / static_cast<double>(bound.cycles()) - 1; }
};

// The tiling whose program takes the fewest cycles with this memory, as far as is seen: those that a rough model takes
// for the fastest are compiled and weighed instruction by instruction; then the best is changed for as long as that
// makes it faster. Where `request` is not 0, with as many tiles and threads as it says. Takes some 0.1 s. The same for
// the same arguments. Throws Error when none fits.
ElementwiseSearch search_elementwise(const Elementwise& layer, const isa::Config& config,
                                     const ElementwiseTiling& request = {0, 0}, const MemoryTiming& memory = {});

}  // namespace vantage::ops
