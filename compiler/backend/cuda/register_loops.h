// Loops over what lies in registers.
//
// Thread safety: a function without state.
#pragma once

#include "compiler/ir/stmt.h"

namespace vantage::cuda {

// Whether a loop's variable says which element of a thread's own array is meant. Such an array lies in registers only
// where the loop is unrolled, and its number of iterations constant therefore.
bool picks_registers(const ir::For& loop);

}  // namespace vantage::cuda
