// pack_tiles and unpack_tiles: between images and the tiles that the VTA has them in (tile_layout.h).
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> tile_operators();

}  // namespace vantage::ops
