// Products of matrices by warpgroups, each of which makes 64 rows of a block's tile.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/backend/cuda/box_copy.h"
#include "compiler/backend/cuda/group_products.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/matrix_form.h"
#include "compiler/ops/cuda/tensor_core_schedule.h"
#include "compiler/ops/cuda/transpose_schedule.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

// Two are fetched while two are multiplied; fewer where a sum has fewer steps.
constexpr int64_t kMostPlaces = 4, kFewestPlaces = 3;

struct GroupTile {
  int64_t groups, columns;
};
// From the most products for each element fetched to the least.
constexpr GroupTile kGroupTiles[] = {{2, 256}, {2, 128}, {1, 256}, {1, 128}, {2, 64}, {1, 64}};

// A formula that the copy engine cannot do is computed into memory for it. That takes as long as so many products of an
// element by warps, which do it on the fly.
constexpr int64_t kFewestUses = 256;

// Whether each operand that is a formula is used often enough for that. What is only turned has a kernel in any case.
bool are_formulas_used_often(Schedule& s, const ProductForm& form) {
  for (size_t side = 0; side < 2; ++side) {
    if (form.sides[1 - side].extent() >= kFewestUses) continue;
    for (const std::string& name : names_of_blocks(s.function())) {
      const Block block = block_named(s, name);
      const auto written = schedule::written_by(block);
      if (written.size() != 1 || written.front() != form.sides[side].operand) continue;
      if (schedule::is_complete(block) && !is_transpose(s, name)) return false;
    }
  }
  return true;
}

// What a multiprocessor of an H100 multiplies in a cycle, of 16-bit floats.
constexpr double kProductsByGroups = 2048;

class GroupSchedule {
 public:
  // `inlines`: what makes operands moves into their copies, as far as the copy engine can do that.
  GroupSchedule(Schedule& s, std::string name, const MatrixForm& form, const GroupTile& tile, bool inlines)
      : s_(s), name_(std::move(name)), form_(form), tile_(tile), inlines_(inlines) {}

  void make() {
    const int64_t depth = cuda::kColumnBytes / form_.operand().bytes(), pieces = depth / kPieces;
    const std::string product = fmt::format("group.{}.n{}", form_.kind(), tile_.columns);
    s_.add_intrinsics(cuda::tensor_core_intrinsics(cuda::find_tile_product(product)));
    const std::vector<LoopRV> loops = s_.get_loops(s_.get_block(name_));
    const auto m = s_.split(loops[form_.m.number], {std::nullopt, tile_.groups, cuda::kGroupRows});
    const auto n = s_.split(loops[form_.n.number], {std::nullopt, tile_.columns});
    const auto k = s_.split(loops[form_.k.number], {std::nullopt, kPieces, pieces});
    std::vector<LoopRV> blocks = other_loops(form_, loops), steps = {k[0]};
    for (const ProductForm::Axis& axis : form_.product.reduce) {
      if (axis.number != form_.k.number) steps.push_back(loops[axis.number]);
    }
    blocks.push_back(m[0]);
    blocks.push_back(n[0]);
    std::vector<LoopRV> order = blocks;
    order.push_back(m[1]);
    order.insert(order.end(), steps.begin(), steps.end());
    for (const LoopRV loop : {k[1], m[2], n[1], k[2]}) order.push_back(loop);
    s_.reorder(order);
    s_.bind(s_.fuse(blocks), "blockIdx.x");
    s_.bind(m[1], "threadIdx.y");
    const LoopRV step = steps.size() == 1 ? steps.front() : s_.fuse(steps);
    const StoredTiles stored = keep_sums(s_, name_, std::string(kWarpgroupScope), form_.operand());
    s_.reverse_compute_at(s_.get_block(stored.block), m[1]);
    for (const ProductForm::Side& side : form_.product.sides) fetch(side.operand, step);
    s_.annotate(step, "pipeline_stages", places(depth));
    take_tiles(s_, stored.block, cuda::kGroupRows, tile_.columns,
               product + (stored.is_rounded ? ".store_half" : ".store"));
    const schedule::BlockRV zero = s_.decompose_reduction(s_.get_block(name_), step);
    s_.tensorize(m[2], product + ".product");
    const std::vector<LoopRV> zeros = s_.get_loops(zero);
    s_.tensorize(zeros[zeros.size() - 2], product + ".product");
  }

 private:
  // Products that a column of 128 bytes takes.
  static constexpr int64_t kPieces = cuda::kColumnBytes / cuda::kGroupDepthBytes;

  int64_t places(int64_t depth) const {
    int64_t steps = form_.k.extent / depth;
    for (const ProductForm::Axis& axis : form_.product.reduce) {
      if (axis.number != form_.k.number) steps *= axis.extent;
    }
    return std::clamp(steps, kFewestPlaces, kMostPlaces);
  }

  void fetch(const Buffer& operand, LoopRV step) {
    s_.compute_at(s_.cache_read(s_.get_block(name_), operand->name, std::string(kSwizzledScope)), step);
    if (inlines_) inline_into_copy(s_, operand);
  }

  Schedule& s_;
  const std::string name_;
  const MatrixForm& form_;
  const GroupTile& tile_;
  const bool inlines_;
};

}  // namespace

std::vector<TensorCoreSchedule> warpgroup_schedules(Schedule& s, const std::string& name, const MatrixForm& form,
                                                    const cuda::Architecture& architecture) {
  if (!architecture.has_warpgroups) return {};
  const bool may_compute = are_formulas_used_often(s, form.product);
  std::vector<TensorCoreSchedule> result;
  for (const GroupTile& tile : kGroupTiles) {
    const MatrixTile of_block = {tile.groups * cuda::kGroupRows, tile.columns,
                                 cuda::kColumnBytes / form.operand().bytes()};
    const Fit fit = fit_of(form, of_block);
    if (fit == Fit::kNone) continue;
    const double cycles = cycles_of(form, of_block, architecture.multiprocessors, kProductsByGroups);
    for (const bool inlines : {true, false}) {
      if (!inlines && !may_compute) continue;
      result.push_back({cycles, [=](Schedule& tried) {
                          const MatrixForm own = fit == Fit::kPadded ? padded(tried, name, form, of_block) : form;
                          GroupSchedule(tried, name, own, tile, inlines).make();
                        }});
    }
  }
  return result;
}

}  // namespace vantage::ops
