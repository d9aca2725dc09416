// What a function computes of one or two activations element by element, in int32: a straight line of operations of the
// ALU (compiler/ops/elementwise).
//
//   %x = cast(unpack_tiles(%p0), dtype="int32")
//   %square = multiply(%x, %x)
//   ...
//   %y = cast(clip(%shifted, min=-127.0, max=127.0), dtype="int8")
//
// Thread safety: functions without state.
#pragma once

#include <vector>

#include "compiler/network/vta/function.h"
#include "compiler/ops/elementwise/elementwise.h"

namespace vantage::network {

// A layer, and which of the function's inputs its operands are.
struct VtaPointwise {
  ops::Elementwise layer;
  std::vector<size_t> inputs;
};

// Throws Error that says what of it the ALU cannot do: also what may not fit an accumulator, for all that is known of
// the function's inputs.
VtaPointwise read_pointwise(const BoundFunction& function, const isa::Config& config);

}  // namespace vantage::network
