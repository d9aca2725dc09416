#include "compiler/ops/cuda/product_schedule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/element_schedule.h"
#include "compiler/ops/cuda/operand_layout.h"
#include "compiler/ops/cuda/pad_product.h"
#include "compiler/ops/cuda/product_form.h"
#include "compiler/ops/cuda/product_tiles.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kShortestSum = 8;
// What one step of the sum should be long: of its longest axis where steps overlap, and otherwise over all its axes.
constexpr int64_t kStep = 16, kWindowStep = 40;
// Steps that are fetched ahead, from the architecture on that copies beside its threads.
constexpr int64_t kStages = 3;
constexpr int kCopiesBeside = 80;
// Of a warp, along the two sides: what neighbours read from shared memory is the same, or lies side by side. Of the
// first side's, the inner ones are neighbours: a warp's thread n reads of the one operand what n ^ 1 reads, and of the
// other what n ^ 2 reads, so that halves of warps are served together and not quarters (shared_banks.h).
constexpr std::array<int64_t, 2> kLanes = {4, 8};
constexpr std::array<int64_t, 2> kInnerLanes = {2, 1};
constexpr int64_t kAccess = 16, kBankRow = 16;

class TiledProduct {
 public:
  // `overlaps`: fetches run beside the computation, and what a thread multiplies comes to its registers first.
  TiledProduct(Schedule& s, std::string name, const ProductForm& form, const ProductTile& tile, bool overlaps)
      : s_(s), name_(std::move(name)), form_(form), tile_(tile), overlaps_(overlaps) {}

  void make() {
    const std::string copy = keep_sum_local(s_, name_);
    for (size_t side = 0; side < 2; ++side) operands_[side] = operand_layout(form_, side, block_named(s_, name_));
    tile_loops();
    s_.reverse_compute_at(s_.get_block(copy), thread_);
    store_vectors(copy);
    for (size_t side = 0; side < 2; ++side) fetch(side);
    if (overlaps_) {
      s_.annotate(step_, "pipeline_stages", kStages);
      for (const LoopRV loop : inner_) s_.unroll(loop);
    }
    s_.decompose_reduction(s_.get_block(name_), step_);
  }

 private:
  // The first side's lanes read few elements, each by many of them, and may as well read along the depth.
  bool reads_along_depth(size_t side) const { return overlaps_ && side == 0 && operands_[side].ends_in_sum; }

  LoopRV one(const std::vector<LoopRV>& loops) { return loops.size() == 1 ? loops.front() : s_.fuse(loops); }

  void tile_loops() {
    const std::vector<LoopRV> loops = s_.get_loops(s_.get_block(name_));
    std::vector<LoopRV> blocks, virtuals, threads, lanes, inner_lanes, each, steps;
    for (const ProductForm::Axis& axis : form_.batch) blocks.push_back(loops[axis.number]);
    for (size_t side = 0; side < 2; ++side) {
      const std::vector<AxisTile> tiles = axis_tiles(form_.sides[side], tile_.sides[side]);
      for (size_t i = 0; i < tiles.size(); ++i) {
        AxisTile t = tiles[i];
        // Rows of an operand that is read along the depth lie in the same banks, but for those side by side.
        if (reads_along_depth(side)) t.virtual_threads *= std::exchange(t.each, 1);
        const int64_t own_lanes = i + 1 == tiles.size() ? std::min(kLanes[side], t.threads) : 1;
        const int64_t inner = std::min(kInnerLanes[side], own_lanes);
        const auto parts =
            s_.split(loops[form_.sides[side].axes[i].number],
                     {std::nullopt, t.virtual_threads, t.threads / own_lanes, own_lanes / inner, inner, t.each});
        threads_ *= t.threads;
        blocks.push_back(parts[0]);
        if (t.virtual_threads > 1) {
          virtuals.push_back(parts[1]);
        } else {
          blocks.push_back(parts[1]);
        }
        threads.push_back(parts[2]);
        lanes.push_back(parts[3]);
        inner_lanes.push_back(parts[4]);
        each.push_back(parts[5]);
      }
    }
    overlaps_ ? step_along(loops, steps) : step_across(loops, steps);
    std::vector<LoopRV> order = blocks;
    for (const auto* more : {&lanes, &inner_lanes}) threads.insert(threads.end(), more->begin(), more->end());
    for (const auto* more : {&virtuals, &threads, &steps, &inner_, &each}) {
      order.insert(order.end(), more->begin(), more->end());
    }
    s_.reorder(order);
    s_.bind(one(blocks), "blockIdx.x");
    for (const LoopRV loop : virtuals) s_.bind(loop, "vthread");
    thread_ = one(threads);
    s_.bind(thread_, "threadIdx.x");
    if (overlaps_) steps = {one(steps)};
    step_ = steps.front();
    fetched_at_ = steps.back();
  }

  // Every step is of the longest axis alone, so that there are many alike, which can overlap.
  void step_along(const std::vector<LoopRV>& loops, std::vector<LoopRV>& steps) {
    const ProductForm::Axis& axis = form_.longest();
    if (axis.extent < 2 * kStep) fail("there are no steps to overlap");
    // One without a rest needs no guard.
    const bool is_half = axis.extent % kStep != 0 && axis.extent % (kStep / 2) == 0;
    const auto parts = s_.split(loops[axis.number], {std::nullopt, (is_half ? kStep / 2 : kStep) / kVector, kVector});
    steps.push_back(parts[0]);
    for (const ProductForm::Axis& other : form_.reduce) {
      if (&other != &axis) steps.push_back(loops[other.number]);
    }
    inner_ = {parts[1], parts[2]};
  }

  // The longest axis of the sum goes in steps. What is not short of the others stays outside, too.
  void step_across(const std::vector<LoopRV>& loops, std::vector<LoopRV>& steps) {
    int64_t others = 1;
    std::vector<LoopRV> window;
    for (const ProductForm::Axis& axis : form_.reduce) {
      if (&axis == &form_.longest()) continue;
      if (others * axis.extent <= 2 * kWindowStep) {
        others *= axis.extent;
        window.push_back(loops[axis.number]);
      } else {
        steps.push_back(loops[axis.number]);
      }
    }
    int64_t step = 1;
    const int64_t wanted = others == 1 ? kStep : kWindowStep;
    while (2 * step * others <= wanted && step < form_.longest().extent) step *= 2;
    // One without a rest needs no guard.
    for (int64_t even = step; even >= step / 2 && even >= 1; even /= 2) {
      if (form_.longest().extent % even != 0) continue;
      step = even;
      break;
    }
    const auto parts = s_.split_by_factor(loops[form_.longest().number], step);
    steps.push_back(parts[0]);
    inner_.push_back(parts[1]);
    inner_.insert(inner_.end(), window.begin(), window.end());
  }

  // Where a thread's results lie side by side.
  void store_vectors(const std::string& copy) {
    attempt_steps(s_, [&](Schedule& s) {
      const BlockLoop last = loops_of_block(s, copy).back();
      if (last.extent == 1 || lanes_of(s, copy, last.extent) != last.extent) fail("not a vector");
      s.vectorize(last.loop);
    });
  }

  // All threads of the block fetch a strip of an operand together.
  void fetch(size_t number) {
    const ProductForm::Side& side = form_.sides[number];
    const OperandLayout& operand = operands_[number];
    const std::string block = filled(side);
    // Threads read along the side's axes, whose neighbours shall be neighbours in shared memory.
    const size_t rank = side.indices.size();
    const bool along_depth = reads_along_depth(number);
    if (operand.moved && !along_depth) {
      std::vector<std::string> from, to;
      for (size_t d = 0; d < rank; ++d) from.push_back(fmt::format("d{}", d));
      for (const auto* dimensions : {&operand.others, &operand.own}) {
        for (const size_t d : *dimensions) to.push_back(from[d]);
      }
      s_.transform_layout(s_.get_block(block), fmt::format("{} -> {}", fmt::join(from, ", "), fmt::join(to, ", ")));
      // What one thread has side by side several of them store far apart: not all into one bank.
      if (side.operand->dtype.bytes() == cuda::kBankBytes && !operand.own.empty() && !operand.others.empty()) {
        s_.storage_align(s_.get_block(block), static_cast<int64_t>(operand.others.size()) - 1, kBankRow, kVector);
      }
    }
    if (overlaps_) keep_in_registers(block, along_depth ? inner_.front() : inner_.back());
    s_.compute_at(s_.get_block(block), fetched_at_);
    std::vector<BlockLoop> loops = loops_of_block(s_, block);
    loops.erase(loops.begin(), loops.end() - static_cast<ptrdiff_t>(rank));
    std::vector<LoopRV> own;
    for (const BlockLoop& loop : loops) own.push_back(loop.loop);
    int64_t lanes = lanes_of(s_, block, loops.back().extent);
    if (iterations_of(loops) < threads_ * lanes || !moves_whole_words(block, lanes)) lanes = 1;
    std::optional<LoopRV> vector;
    if (lanes > 1) {
      const auto parts = s_.split_by_factor(own.back(), lanes);
      own.back() = parts[0];
      vector = parts[1];
    }
    s_.bind(s_.split_by_factor(one(own), threads_)[1], "threadIdx.x");
    if (vector) s_.vectorize(*vector);
  }

  // What a thread multiplies, from shared memory by wide accesses.
  void keep_in_registers(const std::string& fetched, LoopRV loop) {
    const Buffer shared = schedule::written_by(block_named(s_, fetched)).front();
    const std::string block = block_added_by(s_, [&] { s_.cache_read(s_.get_block(name_), shared->name, "local"); });
    s_.compute_at(s_.get_block(block), loop);
    if (loops_of_block(s_, block).back().extent != kVector) return;
    attempt_steps(s_, [&](Schedule& s) { s.vectorize(s.get_loops(s.get_block(block)).back()); });
  }

  // Whether lanes are read by one access: as wide as can be, of what is only copied, or zero outside.
  bool moves_whole_words(const std::string& block, int64_t lanes) const {
    const Block node = block_named(s_, block);
    const Store* store = schedule::single_store(node);
    if (store == nullptr || lanes * store->buffer->dtype.bytes() != kAccess) return false;
    const auto* choice = overlaps_ ? store->value.as<Select>() : nullptr;
    const auto* load = (choice == nullptr ? store->value : choice->if_true).as<Load>();
    return load != nullptr && lie_side_by_side(node, *load, choice == nullptr ? Expr(true) : choice->condition, lanes);
  }

  // The block that fills shared memory: what makes the operand, where that is but a formula of the operand's own, else
  // one that copies.
  std::string filled(const ProductForm::Side& side) {
    for (const std::string& name : names_of_blocks(s_.function())) {
      const Block block = block_named(s_, name);
      const auto written = schedule::written_by(block);
      if (written.size() != 1 || written.front() != side.operand) continue;
      if (!schedule::is_complete(block) || !is_cheap(block) || readers_of(s_, name).size() != 1) break;
      if (s_.function().is_param(side.operand)) break;
      s_.set_scope(s_.get_block(name), "shared");
      return name;
    }
    return block_added_by(s_, [&] { s_.cache_read(s_.get_block(name_), side.operand->name, "shared"); });
  }

  Schedule& s_;
  const std::string name_;
  const ProductForm& form_;
  const ProductTile& tile_;
  const bool overlaps_;
  std::array<OperandLayout, 2> operands_;
  int64_t threads_ = 1;
  std::vector<LoopRV> inner_;  // of the sum, inside of a step
  LoopRV thread_, step_, fetched_at_;
};

// What axes become multiples of where none of a tile is to lie outside.
std::vector<Multiple> multiples_of(const ProductForm& form, const ProductTile& tile) {
  std::vector<Multiple> result;
  for (size_t side = 0; side < 2; ++side) {
    const std::vector<AxisTile> tiles = axis_tiles(form.sides[side], tile.sides[side]);
    for (size_t i = 0; i < tiles.size(); ++i) result.emplace_back(form.sides[side].axes[i], tiles[i].size());
  }
  if (form.longest().extent >= kStep) result.emplace_back(form.longest(), kStep / 2);
  return result;
}

// The longest axis of the sum in parts, which blocks of their own make: the given block adds these up from here on. The
// name of the one that makes them.
std::string sum_of_parts(Schedule& s, const std::string& name, const ProductForm& form, int64_t parts) {
  const std::vector<LoopRV> loops = s.get_loops(s.get_block(name));
  const auto halves = s.split(loops[form.longest().number], {parts, std::nullopt});
  // Behind all that choose a result, as the axis of the parts will be.
  std::vector<LoopRV> order = {halves[0]};
  for (const ProductForm::Axis& axis : form.reduce) {
    order.push_back(axis.number == form.longest().number ? halves[1] : loops[axis.number]);
  }
  s.reorder(order);
  return block_added_by(s, [&] { s.rfactor(halves[0], 0); });
}

}  // namespace

bool is_tiled_product(Schedule& s, const std::string& name) {
  const auto form = product_form(s, name);
  if (!form) return false;
  int64_t sum = 1;
  for (const ProductForm::Axis& axis : form->reduce) sum *= axis.extent;
  return std::ranges::min(form->sides[0].extent(), form->sides[1].extent()) >= kSmallestSide && sum >= kShortestSum;
}

bool schedule_product(Schedule& s, const std::string& name, const cuda::Architecture& architecture) {
  const ProductForm whole = product_form(s, name).value();
  const bool may_overlap = architecture.capability >= kCopiesBeside && whole.sums.bytes() == cuda::kBankBytes;
  return std::ranges::any_of(product_tiles(whole, architecture), [&](const ProductTile& tile) {
    const auto attempt = [&](bool overlaps, bool pads) {
      return attempt_on(architecture, s, [&](Schedule& tried) {
        const std::string product = tile.parts == 1 ? name : sum_of_parts(tried, name, whole, tile.parts);
        const auto form = [&] {
          auto found = product_form(tried, product);
          if (!found) fail("{} is no product any more", product);
          return *found;
        };
        if (pads) pad_product(tried, product, multiples_of(form(), tile));
        const ProductForm own = form();
        TiledProduct(tried, product, own, tile, overlaps).make();
      });
    };
    return (may_overlap && (attempt(true, true) || attempt(true, false))) || attempt(false, true) ||
           attempt(false, false);
  });
}

}  // namespace vantage::ops
