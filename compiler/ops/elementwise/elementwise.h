// Layers that the ALU computes element by element: a straight line of its operations, C = clip((A + B) >> 1) as well as
// an activation function.
//
//   A, B [elements] in ACC8 tiles, sign-extended, where outputs have 8 bits, else in ACC tiles; C in OUT tiles
//
// Lanes lie one after another; the last element is padded (tile_layout.h). Everything wraps at the accumulator's width.
#pragma once

#include <optional>
#include <vector>

#include "compiler/passes/pass.h"
#include "compiler/schedule/schedule.h"
#include "hw/isa/insn.h"
#include "hw/program/program.h"

namespace vantage::ops {

// What an operation makes of value number `a` and a constant, or of `a` and value number `b`.
struct ElementwiseStep {
  isa::AluOp op = isa::AluOp::kAdd;
  int a = 0;
  std::optional<int> b = {};  // not for kShr
  int immediate = 0;          // without b; kShr shifts to the left by what is less than 0
  bool operator==(const ElementwiseStep&) const = default;
};

// Values are numbered: the operands first, then what each step makes. C is the last one, cut to an output's width.
struct Elementwise {
  int64_t size = 1;  // elements of A, B and C
  int operands = 1;  // A, or A and B
  std::vector<ElementwiseStep> steps = {};
  bool operator==(const Elementwise&) const = default;
};

// C = clip((A op B) >> shift), or with a constant instead of B; no instruction shifts by 0.
Elementwise combination(int64_t size, isa::AluOp op, std::optional<int> immediate, int shift, int clip_min,
                        int clip_max);

// What its program needs beside the steps. The ALU works in place: where a step needs both of its values again, it
// works on another copy, which is loaded anew of an operand and made by the ALU of everything else.
struct ElementwiseCopies {
  int loads = 0;  // of operands, all together
  int made = 0;   // by the ALU
};
ElementwiseCopies copies_of(const Elementwise& layer);

// How many elements of the ACC scratchpad are computed at a time, and by how many virtual threads.
struct ElementwiseTiling {
  int64_t tiles = 1;
  int threads = 1;
  bool double_buffer = false;  // operands in two places, so that some are loaded while others are computed
  bool operator==(const ElementwiseTiling&) const = default;
};

// The memory that A and B are counted in.
isa::Memory operand_memory(const isa::Config& config);

// The function "elementwise" with parameters A, B (if any) and C. Throws Error for a step or a size that is not
// possible.
ir::PrimFunc elementwise(const Elementwise& layer, const isa::Config& config);

// The function with its schedule, ready to be lowered.
schedule::Schedule schedule_elementwise(const Elementwise& layer, const ElementwiseTiling& tiling,
                                        const isa::Config& config);

}  // namespace vantage::ops
