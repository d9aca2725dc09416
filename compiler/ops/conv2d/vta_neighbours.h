// Mappings that are one change away from another.
#pragma once

#include <vector>

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/conv2d/vta_tilings.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"

namespace vantage::ops {

struct LayerOnCore {
  const Conv2dShape& shape;
  const Epilogue& epilogue;
  const isa::Config& config;
};

// All that fit, those that help most often first: another choice or side in one part's tiling, a part in two of which
// the one at the beginning or end is in smaller tiles, another place where one part ends and the next begins. What the
// request names stays; with a request, so do the parts.
std::vector<VtaConv2dMapping> neighbours(const VtaConv2dMapping& mapping, const LayerOnCore& layer,
                                         const TilingRequest& request);

}  // namespace vantage::ops
