// Tilings of a whole layer that seem good, by models that are quick and rough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_tilings.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::ops {

// At most `count`, the best first, of those that fit the scratchpads: those that seem no worse than the best so far by
// their rough cost are weighed tile by tile (vta_timeline.h), which the tilings keep. Empty when none fits.
struct VtaConv2dCandidate {
  VtaConv2dTiling tiling;
  int64_t instructions;  // of its program, roughly
};
std::vector<VtaConv2dCandidate> vta_conv2d_candidates(const Conv2dShape& shape, const Epilogue& epilogue,
                                                      const isa::Config& config, const MemoryTiming& memory,
                                                      std::vector<RatedTiling>& tilings, size_t count);

}  // namespace vantage::ops
