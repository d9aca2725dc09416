// Products in tiles: matrices, dense layers, and convolutions as products of output channels and pixels.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Whether a block is a product large enough to be made in tiles.
bool is_tiled_product(schedule::Schedule& s, const std::string& block);

// A block of threads makes a tile of the result, for which it fetches strips of both operands into shared memory, step
// by step; each thread keeps a smaller tile in registers. What pads an operand or converts it does so while it is
// fetched, and what is computed of the result element by element is done before it is stored. The largest tiles that
// leave work for every multiprocessor are taken, smaller ones where these do not fit. False, and nothing done: none
// does.
bool schedule_product(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture);

}  // namespace vantage::ops
