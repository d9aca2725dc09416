// An affine loop nest over scratchpad elements, and its folding into what one instruction can do: two hardware loops
// around a sequence of micro-ops.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/backend/vta/interval.h"
#include "hw/isa/config.h"
#include "hw/isa/insn.h"

namespace vantage::vta {

// One loop: how often it runs and how far each operand moves per iteration, in scratchpad elements.
struct Axis {
  uint32_t extent = 1;
  uint32_t dst = 0;
  uint32_t src = 0;
  uint32_t wgt = 0;
};

// For all axes, outermost first: one step on dst, src, wgt, each the base plus what the axes add.
struct KernelNest {
  uint32_t dst = 0;
  uint32_t src = 0;
  uint32_t wgt = 0;
  std::vector<Axis> axes;
};

// Elements that a nest touches through one operand, as intervals apart from each other, in order: exactly, or as the
// one around all where they would be too many (more than 64).
std::vector<Interval> touched(const KernelNest& nest, uint32_t KernelNest::*base, uint32_t Axis::*stride);

struct FoldedKernel {
  isa::Loop loop;  // uop_bgn and uop_end are left 0
  uint32_t wgt_factor_out = 0;
  uint32_t wgt_factor_in = 0;
  std::vector<isa::MicroOp> uops;
};

enum class StepOrder {
  kFree,  // the steps may run in any order: the longest axes become the hardware loops, for the fewest micro-ops
  // Any order as well, and src is read anew only where it moves (hw/core/nest.h): where one axis alone moves it, that
  // is the outer hardware loop.
  kSourceKept,
  kFixed,  // the nest's own order is kept: the outermost axes become the hardware loops
};

// What one instruction holds: micro-ops, at most as many as their scratchpad, and iterations of a hardware loop.
struct FoldLimits {
  uint64_t uops;
  uint32_t iterations;
  static FoldLimits of(const isa::Config& config);
};

// Splits the nest into instructions that run one after another, each within the limits. A nest with an extent of 0
// gives none.
std::vector<FoldedKernel> fold(const KernelNest& nest, StepOrder order, const FoldLimits& limits);

}  // namespace vantage::vta
