// The VTA's scratchpads as scopes of buffers, and how a buffer's elements are its memory's.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/ir/buffer.h"
#include "hw/isa/config.h"

namespace vantage::vta {

inline constexpr std::string_view kInpScope = "vta.inp";
inline constexpr std::string_view kWgtScope = "vta.wgt";
inline constexpr std::string_view kAccScope = "vta.acc";

// The scratchpad of a scope; nothing for memory outside of the VTA.
std::optional<isa::Memory> scratchpad_of(std::string_view scope);

// The last two dimensions of a buffer are one element of its memory: [BATCH][BLOCK_IN] in INP, [BLOCK_OUT][BLOCK_IN] in
// WGT, [BATCH][BLOCK_OUT] in ACC and OUT.
struct ElementShape {
  int64_t rows, columns;
  int64_t lanes() const { return rows * columns; }
};
ElementShape element_shape(isa::Memory memory, const isa::Config& config);

// A note on a loop of virtual threads: they are half a tile apart (staggered_threads.h).
inline constexpr std::string_view kStaggeredNote = "staggered";
// A note on a loop around a GEMM: each iteration is an instruction of its own, so that one can begin before there is
// what the next one takes.
inline constexpr std::string_view kApartNote = "apart";
// Notes on a function: what its OperationList says by these names.
inline constexpr std::string_view kInSlicesNote = "in_slices", kFillsWaitsNote = "fills_waits",
                                  kSharesMicroOpsNote = "shares_micro_ops", kSkipsZerosNote = "skips_zeros";

}  // namespace vantage::vta
