// The calls of a GPU's own in the tensor IR.
//
//   T.cuda.load_tile_a(to, from)        a tile of the left side (tensor_cores.h), also load_tile_a_transposed,
//                                       load_tile_b and load_tile_b_transposed
//   T.cuda.fill_tile(to)                zeros
//   T.cuda.multiply_tiles(c, a, b, a_transposed, b_transposed)
//   T.cuda.store_tile(to, from)
//   T.cuda.commit_copies()              copies beside the threads (passes/pipeline_copies.h)
//   T.cuda.wait_copies(groups)
//   T.cuda.begin_products()             products of warpgroups run beside the threads (passes/order_products.h): behind
//   T.cuda.commit_products()            this one; those so far are a group; no more than so many groups are under way
//   T.cuda.wait_products(groups)
//   T.cuda.copy_box(to, from, offset, extent, ..., pipeline, place)
//                                       a box of a tensor to shared memory (passes/take_box_copies.h): where it begins
//                                       in `from`, which may be outside, where there are zeros, and how far it goes
//   T.cuda.begin_arrivals(pipeline, places, copies)
//                                       a pipeline of that number, of so many places that are filled by so many copies
//   T.cuda.await_arrival(pipeline, place)
//   T.cuda.end_arrivals(pipeline)
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
inline constexpr std::string_view kBeginProducts = "cuda.begin_products", kCommitProducts = "cuda.commit_products",
                                  kWaitProducts = "cuda.wait_products";
inline constexpr std::string_view kCopyBox = "cuda.copy_box", kBeginArrivals = "cuda.begin_arrivals",
                                  kAwaitArrival = "cuda.await_arrival", kEndArrivals = "cuda.end_arrivals";

// What each of them touches, for parsing.
const ir::CallTouches& call_touches();

// The call that a statement is, if it is this one; null otherwise.
const ir::Call* as_call(const ir::Stmt& stmt, std::string_view function);
// A statement that is such a call.
ir::Stmt call_statement(std::string_view function, std::vector<ir::Expr> arguments = {});
// So many threads have memory of this scope in their registers together, each as much as the others.
int64_t threads_together(std::string_view scope);
// Whether a statement is a call on tiles.
bool is_tile_call(const ir::Stmt& stmt);
// Whether it is a product by a warpgroup.
bool is_group_product(const ir::Stmt& stmt);
// Whether it is nothing but such calls, with loops and conditions.
bool only_tiles(const ir::Stmt& stmt);

}  // namespace vantage::cuda
