// Layers that combine values element by element on the ALU: C = clip((A op B) >> shift), or a constant instead of B.
//
//   A, B [elements] in ACC8 tiles, sign-extended, where outputs have 8 bits, else in ACC tiles; C in OUT tiles
//
// Lanes lie one after another; the last element is padded (tile_layout.h).
#pragma once

#include <optional>

#include "compiler/ops/epilogue.h"
#include "compiler/passes/pass.h"
#include "compiler/schedule/schedule.h"
#include "hw/isa/insn.h"
#include "hw/program/program.h"

namespace vantage::ops {

struct Elementwise {
  int64_t size = 1;                       // values
  isa::AluOp op = isa::AluOp::kAdd;       // any but kShr
  std::optional<int16_t> immediate = {};  // instead of B
  Epilogue epilogue = {};                 // without bias
};

// How many elements of the ACC scratchpad are computed at a time, and by how many virtual threads.
struct ElementwiseTiling {
  int64_t tiles = 1;
  int threads = 1;
  bool double_buffer = false;  // operands in two places, so that some are loaded while others are computed
  bool operator==(const ElementwiseTiling&) const = default;
};

// The memory that A and B are counted in.
isa::Memory operand_memory(const isa::Config& config);

// The function "elementwise" with parameters A, B (if any) and C. Throws Error for an operation, a size or an epilogue
// that is not possible.
ir::PrimFunc elementwise(const Elementwise& layer, const isa::Config& config);

// The function with its schedule, ready to be lowered.
schedule::Schedule schedule_elementwise(const Elementwise& layer, const ElementwiseTiling& tiling,
                                        const isa::Config& config);

}  // namespace vantage::ops
