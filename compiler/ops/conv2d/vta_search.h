// The best mapping for a layer, and how good it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/shape/conv2d.h"
#include "compiler/backend/vta/timing/bound.h"
#include "compiler/ops/conv2d/vta_known.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"
#include "hw/program/program.h"

namespace vantage::ops {

// How long a search goes on: kQuick takes some 0.1 s on one core, kThorough up to some 5 s. kBrief takes two
// fifths of kQuick; what it finds takes 0.3 % more cycles on average of layers of networks, 1.6 % of random ones.
enum class SearchEffort : uint8_t { kBrief, kQuick, kThorough };

struct SearchResult {
  VtaConv2dMapping mapping;
  std::optional<Program> program = {};  // its program, as compile_layer() makes it; none when it was known before
  uint64_t cycles = 0;                  // as its program is estimated (compiler/backend/vta/timing)
  vta::Bound bound;                     // that no schedule of this layer beats
  uint64_t weighed = 0;                 // programs
  // Each time that a better one was found: after how many programs, and its cycles.
  struct Improvement {
    uint64_t weighed, cycles;
  };
  std::vector<Improvement> improvements;
  // The best that was weighed and is of another kind: its tiling differs in more than sizes. None: nothing else was.
  VtaConv2dMapping second;
  uint64_t second_cycles = 0;  // 0: there is none

  // How far it may be from the best there is: 0.014 is 1.4 %.
  double gap() const { return static_cast<double>(cycles) / static_cast<double>(bound.cycles()) - 1; }
};

// The mapping whose program takes the fewest cycles with this memory, as far as is seen. The candidates
// (vta_candidates.h) are compiled and weighed instruction by instruction; then the best is changed, in one tiling's
// sides and choices and by smaller tiles at its beginning and end, for as long as that makes it faster. A request keeps
// what it names. The same for the same arguments, but for what takes as long, which may be another
// with `known`. Throws Error when none fits.
SearchResult search_vta_conv2d(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                               const TilingRequest& request = {}, const MemoryTiming& memory = {},
                               SearchEffort effort = SearchEffort::kQuick, KnownLayers* known = nullptr);

// Its mapping alone.
VtaConv2dMapping map_vta_conv2d(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                const TilingRequest& request = {}, const MemoryTiming& memory = {});

}  // namespace vantage::ops
