// Whether what a tile call names are tiles that tensor cores have, where they must lie. tensorize() makes no others;
// functions that someone writes may.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/ir/expr.h"

namespace vantage::cuda {

// Throws Error that names the box, its size and what would be right. REQUIRES: is_tile_call().
void require_tiles(const ir::Call& call);

}  // namespace vantage::cuda
