// Mappings as JSON: what a run prints, and what a person writes by hand (docs/mappings.md).
//
//   {"parts": [{"oc": [0, 8], "tile": {"oc": 4, "h": 7, "w": 14, "ic": 2}, "threads": 2, "sum_places": 2},
//              {"oc": [8, 16], "tile": {"oc": 8, "h": 2, "w": 14}}]}
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// What is as by default, or all of a dimension, is left out.
Json to_json(const VtaConv2dMapping& mapping);

// Throws Error, naming `source`, the key and what would be right, for what is no mapping.
VtaConv2dMapping parse_mapping(std::string_view text, std::string_view source);

// Throws Error, naming `source` and the part, unless the parts make up the layer's output, each element in one of them,
// and each part fits the configuration's scratchpads (vta_fit.h).
void check_mapping(const VtaConv2dMapping& mapping, const Conv2dShape& shape, const Epilogue& epilogue,
                   const isa::Config& config, std::string_view source);

// One line for a person: "tiles of 1x4x7x14, 2 input channel tiles at a time, 2 virtual threads, weights resident".
std::string describe(const VtaConv2dTiling& tiling);

}  // namespace vantage::ops
