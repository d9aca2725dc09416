// What a core is made of, counted by its configuration alone: the terms that an estimate of its size adds up.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "hw/isa/config.h"

namespace vantage::fpga {

// Each has a coefficient for each resource (configs/area).
enum class AreaTerm : uint8_t {
  kCore,          // 1: what every core has
  kBusBits,       // of a beat
  kShiftedBits,   // bits of a beat, times the steps of a shifter by its bytes
  kIndexBits,     // of the indices into all scratchpads
  kLanes16,       // lanes of the vector ALU, where they have 16 bits
  kLanes32,       // ... where they have 32
  kElementBits,   // of an input, a weight and an accumulator element together
  kGatheredBits,  // held of elements that come in several beats
  kSpreadBits,    // between which lanes of a beat and banks of a scratchpad choose
  kBankedBits,    // between which the upper address bits of deep memories choose
};
inline constexpr std::array<std::string_view, 10> kAreaTermNames = {
    "core",     "bus_bits",     "shifted_bits",  "index_bits",  "lanes_16",
    "lanes_32", "element_bits", "gathered_bits", "spread_bits", "banked_bits"};
inline constexpr size_t kAreaTerms = kAreaTermNames.size();

// What the memories take, which is known (hw/fpga/area/memory_map.h).
struct AreaOfMemories {
  uint64_t luts = 0, flip_flops = 0, block_rams_18k = 0;
  bool operator==(const AreaOfMemories&) const = default;
};

struct AreaCounts {
  std::array<double, kAreaTerms> terms = {};
  AreaOfMemories memories;

  double& operator[](AreaTerm term) { return terms[static_cast<size_t>(term)]; }
  double operator[](AreaTerm term) const { return terms[static_cast<size_t>(term)]; }
};

AreaCounts area_counts(const isa::Config& config);

// Whether a multiplier makes two products of operands of these widths (vta_gemm_core).
bool shares_multipliers(int inp_bits, int wgt_bits);

// How many columns of the tile lie in one module: 2 that share multipliers, or 1.
int columns_together(const isa::Config& config);

}  // namespace vantage::fpga
