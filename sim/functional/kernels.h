// The inner loops of the functional machine: GEMM and ALU steps over scratchpads. A configuration and the processor
// at hand choose one set of functions, once; the set also says how an element is laid out in its scratchpad, since the
// fast kernels want inputs and weights in the order in which they multiply them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "hw/isa/config.h"
#include "hw/isa/insn.h"

namespace vantage::sim {

// The tile of the GEMM core and the widths that a kernel must respect.
struct TileShape {
  int batch, block_in, block_out;
  int acc_bits;      // accumulator lanes are int32, sign-extended from this width
  bool byte_inputs;  // INP and WGT elements have at most 8 bits: natural form int8, otherwise int16

  static TileShape of(const isa::Config& config);
  int acc_lanes() const { return batch * block_out; }
};

// The common tiles (batch, depth, columns), whose kernels are compiled for their exact shape: VANTAGE_COMMON_TILES(X)
// expands X(batch, block_in, block_out) for each.
#define VANTAGE_COMMON_TILES(X) X(1, 16, 16) X(2, 16, 16) X(1, 16, 32) X(1, 32, 32) X(1, 8, 8) X(4, 8, 8)

// Of the loops of one instruction, the outer and the inner iterations [begin, end) that are to run.
struct LoopPart {
  uint32_t out_begin, out_end, in_begin, in_end;
};

// The affine loops of one GEMM instruction over packed scratchpads. Indices are elements.
struct GemmLoop {
  isa::Loop loop;
  LoopPart part;
  uint32_t wgt_factor_out, wgt_factor_in;
  std::span<const isa::MicroOp> uops;  // [uop_bgn, uop_end)
};

struct AluLoop {
  isa::Loop loop;
  LoopPart part;
  std::span<const isa::MicroOp> uops;
  isa::AluOp op;
  bool use_imm;
  int32_t imm;
};

// REQUIRES for every function: indices were checked to lie inside the scratchpads.
struct Kernels {
  std::string description;  // "vnni AVX3", "pairs AVX2", "scalar"
  TileShape shape;

  size_t inp_stride;  // bytes of one packed INP element
  size_t wgt_stride;  // bytes of one packed WGT element

  // `count` consecutive elements from natural form ([batch][block_in] or [block_out][block_in], int8 or int16) to
  // packed form.
  void (*pack_inp)(const TileShape& shape, const std::byte* natural, std::byte* packed, size_t count);
  void (*pack_wgt)(const TileShape& shape, const std::byte* natural, std::byte* packed, size_t count);

  // acc[dst] += inp[src] * wgt[wgt] for every step of the loops.
  void (*gemm)(const TileShape& shape, const GemmLoop& loop, int32_t* acc, const std::byte* inp, const std::byte* wgt);
  // acc[dst] = op(acc[dst], imm or acc[src]) for every step.
  void (*alu)(const TileShape& shape, const AluLoop& loop, int32_t* acc);
};

// The best kernels for this configuration on this processor (Highway's dynamic dispatch).
Kernels select_kernels(const isa::Config& config);

}  // namespace vantage::sim
