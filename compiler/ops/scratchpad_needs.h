// How much room a program needs, so that designs with more room can share theirs with those that have less.
//
// Thread safety: values and functions without state.
#pragma once

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"
#include "hw/program/program.h"

namespace vantage::ops {

// The log2 of how deep each scratchpad must be for a program to be the same: on a core that has no less than this, but
// is otherwise the same, the same mapping gives the same instructions but for where they find things, and as many
// cycles. What works on accumulators alone, as pooling does, needs all that there are.
struct ScratchpadNeeds {
  int uop = 0, inp = 0, wgt = 0, acc = 0;
  bool operator==(const ScratchpadNeeds&) const = default;
};

// What cores that differ in the sizes of their scratchpads alone have in common, of what programs depend on.
isa::ConfigKeys but_for_scratchpads(const isa::Config& config);
// What a configuration has.
ScratchpadNeeds depths_of(const isa::Config& config);
// Whether so much is enough, in each scratchpad.
bool is_within(const ScratchpadNeeds& needs, const ScratchpadNeeds& have);

// Of a convolution's mapping on a core that it fits, but for micro-ops.
ScratchpadNeeds needs_of(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dMapping& mapping,
                         const isa::Config& config);
// Whether a mapping's program is the same on a core as on one that is like it but for the scratchpads, of which that
// one had so much and the program needed so much: both have what the mapping needs on either, so that it is the same on
// both as on a core with the smaller one of each scratchpad. Its bound is not. Not asked of parts that differ in
// threads, nor of a core with more micro-ops, where fewer would be loaded again: false.
bool is_same_program(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dMapping& mapping,
                     const ScratchpadNeeds& had, const ScratchpadNeeds& needed, const isa::Config& config);
// As deep as its micro-ops lie.
int micro_op_needs(const Program& program);

}  // namespace vantage::ops
