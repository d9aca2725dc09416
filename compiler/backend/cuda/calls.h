// The calls of a GPU's own in the tensor IR.
//
//   T.cuda.load_tile_a(to, from)        a tile of the left side (tensor_cores.h), also load_tile_a_transposed,
//                                       load_tile_b and load_tile_b_transposed
//   T.cuda.fill_tile(to)                zeros
//   T.cuda.multiply_tiles(c, a, b, a_transposed, b_transposed)
//   T.cuda.store_tile(to, from)
//   T.cuda.commit_copies()              copies beside the threads (passes/pipeline_copies.h)
//   T.cuda.wait_copies(groups)
//
// Thread safety: functions without state.
#pragma once

#include <string_view>

#include "compiler/ir/parse_function.h"

namespace vantage::cuda {

inline constexpr std::string_view kLoadTileA = "cuda.load_tile_a", kLoadTileB = "cuda.load_tile_b",
                                  kLoadTileATransposed = "cuda.load_tile_a_transposed",
                                  kLoadTileBTransposed = "cuda.load_tile_b_transposed", kFillTile = "cuda.fill_tile",
                                  kMultiplyTiles = "cuda.multiply_tiles", kStoreTile = "cuda.store_tile";
inline constexpr std::string_view kCommitCopies = "cuda.commit_copies", kWaitCopies = "cuda.wait_copies";

// What each of them touches, for parsing.
const ir::CallTouches& call_touches();

// Whether a statement is a call on tiles.
bool is_tile_call(const ir::Stmt& stmt);
// Whether it is nothing but such calls, with loops and conditions.
bool only_tiles(const ir::Stmt& stmt);

}  // namespace vantage::cuda
