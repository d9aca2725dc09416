// What compute_inline and reverse_compute_inline ask of blocks.
//
// Thread safety: functions without state.
#pragma once

#include <string_view>

#include "compiler/ir/prim_func.h"

namespace vantage::schedule {

// The formula of a block that is one store of values from elsewhere. Throws Error, in the words of `primitive`, for any
// other.
const ir::Store& formula(const ir::Block& block, std::string_view primitive);

// A buffer that nothing writes or reads any more is allocated no longer.
void forget_buffer(ir::PrimFunc& function, const ir::Buffer& buffer);

}  // namespace vantage::schedule
