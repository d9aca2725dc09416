// Whether the scratchpads hold what a part of a convolution needs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"

namespace vantage::ops {

struct TiledLayer;  // vta_tiles.h

// Scratchpad elements that a part takes; of all virtual threads together.
struct ScratchpadUse {
  int64_t inp, wgt, acc;
};
ScratchpadUse scratchpad_use(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dPart& part,
                             const isa::Config& config);
// The same of a part that is cut already, and picks the pixels that the tiling does: only the other choices are looked
// at.
ScratchpadUse scratchpad_use(const TiledLayer& layer, const Epilogue& epilogue, const VtaConv2dTiling& tiling);
// What threads can share evenly: what one of them cannot use is lost.
class ScratchpadRoom {
 public:
  explicit ScratchpadRoom(const isa::Config& config);
  bool holds_loads(const ScratchpadUse& use, int64_t threads) const {
    return fit(use.inp, inp_, threads) && fit(use.wgt, wgt_, threads);
  }
  bool holds_accumulators(int64_t elements, int64_t threads) const { return fit(elements, acc_, threads); }

 private:
  // Most do not fit at all: only the others are worth a division.
  static bool fit(int64_t elements, int64_t depth, int64_t threads) {
    return elements <= depth && elements <= depth - depth % threads;
  }
  int64_t inp_, wgt_, acc_;
};
// Whether the VTA can do it so. Every virtual thread has an equal share of what is not resident; every piece of the
// input that is loaded holds more than the zeros around it.
bool fits(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dPart& part, const isa::Config& config);
// What keeps tiles of the input from being loaded, of whatever size the scratchpads are: zeros above and below need
// rows of one length, and a load needs a pixel, which a tile of results in the zeros around the image may not have.
enum class LoadFault : uint8_t { kNone, kUnevenRows, kNoPixelDown, kNoPixelAcross };
LoadFault load_fault(const Conv2dShape& shape, const VtaConv2dPart& part, const isa::Config& config);
LoadFault load_fault(const TiledLayer& layer, const VtaConv2dTiling& tiling);  // cut already, as above
// Of all parts. Where threads go on from part to part (vta_join.h), each part's bias keeps its place.
bool fits(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dMapping& mapping,
          const isa::Config& config);

// Accumulators that a virtual thread takes in each part, with the biases that it keeps of the parts before.
std::vector<int64_t> accumulators_of_threads(const Conv2dShape& shape, const Epilogue& epilogue,
                                             const VtaConv2dMapping& mapping, const isa::Config& config);

}  // namespace vantage::ops
