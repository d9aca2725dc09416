// Products of matrices by warps, which hold tiles of both sides in their registers.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/ir/thread_axes.h"
#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/matrix_form.h"
#include "compiler/ops/cuda/tensor_core_schedule.h"

namespace vantage::ops {

using namespace ir;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kFetchBytes = 16;

// Of a block, and of each of its warps; `depth` in bytes.
struct WarpTile {
  int64_t rows, columns, warp_rows, warp_columns, depth, stages;
};
constexpr WarpTile kWarpTiles[] = {{128, 128, 64, 64, 128, 3}, {128, 128, 64, 64, 64, 3}, {128, 64, 64, 32, 64, 3},
                                   {64, 128, 32, 64, 64, 3},   {64, 64, 32, 32, 64, 3},   {64, 32, 32, 16, 64, 3},
                                   {32, 64, 16, 32, 64, 3},    {32, 32, 16, 16, 64, 3},   {16, 32, 16, 8, 64, 2}};

// What a multiprocessor multiplies in a cycle by warps: of 16-bit floats on an A100, and less than what warpgroups do
// on an H100.
constexpr double kProductsByWarps = 1024;

class WarpSchedule {
 public:
  WarpSchedule(Schedule& s, std::string name, const MatrixForm& form, const WarpTile& tile)
      : s_(s),
        name_(std::move(name)),
        form_(form),
        tile_(tile),
        product_(cuda::find_tile_product("tile." + form.kind())) {}

  void make() {
    s_.add_intrinsics(cuda::tensor_core_intrinsics(product_));
    const std::vector<LoopRV> loops = s_.get_loops(s_.get_block(name_));
    const int64_t depth = tile_.depth / product_.operand.bytes();
    const auto m = s_.split(loops[form_.m.number],
                            {std::nullopt, tile_.rows / tile_.warp_rows, tile_.warp_rows / product_.m, product_.m});
    const auto n = s_.split(loops[form_.n.number], {std::nullopt, tile_.columns / tile_.warp_columns,
                                                    tile_.warp_columns / product_.n, product_.n});
    const auto k = s_.split(loops[form_.k.number], {std::nullopt, depth / product_.k, product_.k});
    std::vector<LoopRV> blocks = other_loops(form_, loops), steps = {k[0]};
    for (const ProductForm::Axis& axis : form_.product.reduce) {
      if (axis.number != form_.k.number) steps.push_back(loops[axis.number]);
    }
    blocks.push_back(m[0]);
    blocks.push_back(n[0]);
    std::vector<LoopRV> order = blocks;
    order.insert(order.end(), {m[1], n[1]});
    order.insert(order.end(), steps.begin(), steps.end());
    order.insert(order.end(), {k[1], m[2], n[2], m[3], n[3], k[2]});
    s_.reorder(order);
    s_.bind(s_.fuse(blocks), "blockIdx.x");
    s_.bind(m[1], "threadIdx.z");
    s_.bind(n[1], "threadIdx.y");
    step_ = steps.size() == 1 ? steps.front() : s_.fuse(steps);
    depth_ = k[1];
    const StoredTiles stored = keep_sums(s_, name_, std::string(kWarpScope), product_.operand);
    s_.reverse_compute_at(s_.get_block(stored.block), n[1]);
    fetch(0, product_.a_shape(), ".load_a");
    fetch(1, product_.b_shape(), ".load_b");
    s_.annotate(step_, "pipeline_stages", tile_.stages);
    take_tiles(s_, stored.block, product_.m, product_.n,
               product_.name + (stored.is_rounded ? ".store_half" : ".store"));
    const BlockRV zero = s_.decompose_reduction(s_.get_block(name_), step_);
    s_.tensorize(m[3], product_.name + ".product");
    const std::vector<LoopRV> zeros = s_.get_loops(zero);
    s_.tensorize(zeros[zeros.size() - 2], product_.name + ".product");
  }

 private:
  // All threads fetch what the block's warps need for a step, and warps take tiles of it.
  void fetch(size_t side, const std::vector<int64_t>& sides, const std::string& load) {
    const Buffer operand = form_.product.sides[side].operand;
    const std::string copy = block_added_by(s_, [&] { s_.cache_read(s_.get_block(name_), operand->name, "shared"); });
    inline_into_copy(s_, operand);
    const std::string shared = schedule::written_by(block_named(s_, copy)).front()->name;
    const std::string tiles =
        block_added_by(s_, [&] { s_.cache_read(s_.get_block(name_), shared, std::string(kWarpScope)); });
    const BlockRV fetched = s_.get_block(copy);
    s_.compute_at(s_.get_block(tiles), depth_);
    s_.compute_at(fetched, step_);
    const std::vector<LoopRV> own = s_.get_loops(fetched);
    const int64_t lanes = kFetchBytes / product_.operand.bytes();
    const auto parts = s_.split(
        s_.fuse({own[own.size() - 2], own.back()}),
        {std::nullopt, tile_.rows / tile_.warp_rows, tile_.columns / tile_.warp_columns, cuda::kWarpThreads, lanes});
    s_.bind(parts[1], "threadIdx.z");
    s_.bind(parts[2], "threadIdx.y");
    s_.bind(parts[3], "threadIdx.x");
    s_.vectorize(parts[4]);
    // Rows that follow each other begin in different banks.
    const int64_t rank = static_cast<int64_t>(operand->rank());
    s_.storage_align(fetched, rank - 2, row_of(side), lanes);
    take_tiles(s_, tiles, sides[0], sides[1], product_.name + load);
  }

  // Elements of a row in shared memory.
  int64_t row_of(size_t side) const {
    const int64_t depth = tile_.depth / product_.operand.bytes();
    if (side == 0) return form_.a_transposed ? tile_.rows : depth;
    return form_.b_transposed ? depth : tile_.columns;
  }

  Schedule& s_;
  const std::string name_;
  const MatrixForm& form_;
  const WarpTile& tile_;
  const cuda::TileProduct& product_;
  LoopRV step_, depth_;
};

}  // namespace

std::vector<TensorCoreSchedule> warp_schedules(const std::string& name, const MatrixForm& form,
                                               const cuda::Architecture& architecture) {
  if (cuda::find_tensor_core_type(form.operand())->capability > architecture.capability) return {};
  std::vector<TensorCoreSchedule> result;
  for (const WarpTile& tile : kWarpTiles) {
    const MatrixTile of_block = {tile.rows, tile.columns, tile.depth / form.operand().bytes()};
    const Fit fit = fit_of(form, of_block);
    if (fit == Fit::kNone) continue;
    const double cycles = cycles_of(form, of_block, architecture.multiprocessors, kProductsByWarps);
    result.push_back({cycles, [=](Schedule& s) {
                        const MatrixForm own = fit == Fit::kPadded ? padded(s, name, form, of_block) : form;
                        WarpSchedule(s, name, own, tile).make();
                      }});
  }
  return result;
}

}  // namespace vantage::ops
