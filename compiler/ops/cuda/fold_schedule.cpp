#include "compiler/ops/cuda/fold_schedule.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/element_schedule.h"
#include "compiler/ops/cuda/fold_form.h"
#include "compiler/ops/cuda/fold_parts.h"
#include "compiler/ops/cuda/product_tiles.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kShortestFold = 64, kLongFold = 256;
// What a thread adds up in a tree of kernels.
constexpr int64_t kTreeStep = 32;
// Threads of which a GPU runs so many at once that memory is busy.
constexpr int64_t kMemoryThreads = 1 << 18;
// Bytes that memory brings at once, so that fewer neighbours would be read in vain.
constexpr int64_t kSectorBytes = 32;
constexpr int64_t kMostColumns = cuda::kWarpThreads, kMostColumnParts = 32, kShortestColumnPart = 16;
// Accesses of a thread that are worth what threads do together afterwards.
constexpr int64_t kFewestSteps = 4;
// Parts that one thread folds at the end; of more, several threads fold some before.
constexpr int64_t kPartsAtOnce = 32;
// Loads that a thread has under way.
constexpr int64_t kUnrolled = 8;

// How the threads of a block share a fold.
struct Sharing {
  std::vector<size_t> rows;  // axes of which each block has one place
  std::optional<size_t> column;
  std::vector<size_t> reusing;  // axes of results that a thread makes together
  int64_t columns = 1;          // results side by side, of which each thread makes parts of one
  int64_t parts = 1;
  int64_t lanes = 1;               // elements that a thread reads at once
  std::vector<std::string> along;  // of these
};

bool has_columns(const FoldForm& form) {
  return form.walks == FoldForm::Walks::kResults && form.columns * form.element_bytes >= kSectorBytes &&
         form.reuses < kSmallestSide;
}

Sharing sharing_of(const FoldForm& form, int64_t length) {
  Sharing sharing{form.rows, form.column, form.reusing, 1, threads_of_fold(length), 1, {}};
  if (has_columns(form)) {
    const int64_t results = form.row_count * form.columns;
    sharing.columns = kMostColumns;
    while (sharing.columns * form.element_bytes > kSectorBytes && results / sharing.columns < kBusyBlocks) {
      sharing.columns /= 2;
    }
    sharing.parts = 2;
    while (sharing.parts < kMostColumnParts && sharing.parts * 2 * kShortestColumnPart <= length &&
           results * sharing.parts < kMemoryThreads) {
      sharing.parts *= 2;
    }
    return sharing;
  }
  // A block for each place of all axes, but for those which an element is reused along.
  if (form.column) sharing.rows.push_back(*form.column);
  sharing.column.reset();
  if (form.reuses >= kSmallestSide || sharing.rows.empty()) {
    sharing.rows.insert(sharing.rows.end(), sharing.reusing.begin(), sharing.reusing.end());
    sharing.reusing.clear();
  }
  std::ranges::sort(sharing.rows);
  if (form.walks != FoldForm::Walks::kFolded || form.along.empty()) return sharing;
  for (int64_t lanes = kAccessBytes / form.along_bytes; lanes > 1; lanes /= 2) {
    for (int64_t parts = sharing.parts; parts >= cuda::kWarpThreads; parts /= 2) {
      const bool is_short = parts > cuda::kWarpThreads && parts * lanes * kFewestSteps > length;
      if (is_short || length % (parts * lanes) != 0) continue;
      sharing.parts = parts;
      sharing.lanes = lanes;
      sharing.along = form.along;
      return sharing;
    }
  }
  return sharing;
}

// A fold in a kernel of its own, whose parts are shared by threadIdx.x of its blocks; where results lie side by side,
// these are by threadIdx.x, and the parts by threadIdx.y.
class SharedFold {
 public:
  SharedFold(Schedule& s, std::string name, Sharing sharing)
      : s_(s), name_(std::move(name)), how_(std::move(sharing)) {}

  void make() {
    const size_t rank = how_.rows.size() + how_.reusing.size() + (how_.column ? 1 : 0);
    // Neighbouring threads leave neighbours in shared memory.
    const size_t part = how_.column ? 0 : rank;
    const std::string partial = fold_in_parts(s_, name_, how_.parts, static_cast<int64_t>(part), how_.lanes);
    s_.set_scope(s_.get_block(partial), "shared");
    std::string second;
    if (how_.parts > kPartsAtOnce) {
      // Of several results, a warp for each: two in one would read the same banks.
      const int64_t left = how_.reusing.empty() ? kLastParts : cuda::kWarpThreads;
      second = fold_in_parts(s_, name_, left, static_cast<int64_t>(part));
      s_.set_scope(s_.get_block(second), "shared");
    }
    const std::string stored = block_added_by(s_, [&] { s_.cache_write(s_.get_block(partial), "local"); });
    std::string copy;
    attempt_steps(s_, [&](Schedule& tried) { copy = keep_sum_local(tried, name_); });
    const LoopRV blocks = bind_blocks();
    if (!second.empty()) s_.compute_at(s_.get_block(second), blocks);
    s_.compute_at(s_.get_block(stored), blocks);
    share_partials(stored, partial, part);
    if (!second.empty()) bind_threads(s_, second, 1, how_.parts);
    if (!copy.empty()) s_.reverse_compute_at(s_.get_block(copy), innermost_);
  }

 private:
  static std::vector<LoopRV> handles(const std::vector<BlockLoop>& loops, const std::vector<size_t>& numbers) {
    std::vector<LoopRV> result;
    for (const size_t number : numbers) result.push_back(loops[number].loop);
    return result;
  }

  // A block of threads for each row, and for each `columns` of a row.
  LoopRV bind_blocks() {
    const std::vector<BlockLoop> loops = loops_of_block(s_, name_);
    std::vector<LoopRV> outer = handles(loops, how_.rows), inner = handles(loops, how_.reusing);
    if (how_.column) {
      const auto parts = s_.split_by_factor(loops[*how_.column].loop, how_.columns);
      s_.bind(parts[1], "threadIdx.x");
      outer.push_back(parts[0]);
      inner.insert(inner.begin(), parts[1]);
    }
    std::vector<LoopRV> order = outer;
    order.insert(order.end(), inner.begin(), inner.end());
    if (order.size() > 1) s_.reorder(order);
    const LoopRV blocks = outer.size() == 1 ? outer.front() : s_.fuse(outer);
    s_.bind(blocks, "blockIdx.x");
    s_.decompose_reduction(s_.get_block(name_), of_kind(loops_of_block(s_, name_), AxisKind::kReduce).front().loop);
    innermost_ = how_.column ? inner.front() : blocks;
    return blocks;
  }

  // `part`: the dimension of partial results that counts the parts.
  void share_partials(const std::string& stored, const std::string& partial, size_t part) {
    std::vector<BlockLoop> loops = loops_of_block(s_, stored);
    loops.erase(loops.begin());
    const auto of_axis = [&](size_t axis) { return loops[axis + (axis >= part ? 1 : 0)].loop; };
    std::vector<LoopRV> order;
    for (const size_t axis : how_.rows) order.push_back(of_axis(axis));
    order.push_back(loops[part].loop);
    s_.bind(order.back(), how_.column ? "threadIdx.y" : "threadIdx.x");
    if (how_.column) {
      order.push_back(of_axis(*how_.column));
      s_.bind(order.back(), "threadIdx.x");
    }
    const LoopRV thread = order.back();
    for (const size_t axis : how_.reusing) order.push_back(of_axis(axis));
    if (order.size() > 1) s_.reorder(order);
    const size_t outside = loops_of_block(s_, stored).size() - how_.reusing.size();
    s_.compute_at(s_.get_block(partial), thread);

    // What is read goes into all that reuse it before the next is.
    std::vector<BlockLoop> own = loops_of_block(s_, partial);
    own.erase(own.begin(), own.begin() + static_cast<ptrdiff_t>(outside));
    const std::vector<BlockLoop> steps = of_kind(own, AxisKind::kReduce);
    if (steps.empty()) return;
    std::vector<LoopRV> nest = {steps.front().loop};
    if (const int64_t unrolled = std::gcd(steps.front().extent, kUnrolled); unrolled > 1) {
      const auto halves = s_.split_by_factor(nest.front(), unrolled);
      nest = {halves[0], halves[1]};
      s_.unroll(halves[1]);
    }
    const LoopRV step = nest.back();
    if (how_.lanes > 1) {
      nest.push_back(steps.back().loop);
      s_.unroll(steps.back().loop);
    }
    for (const BlockLoop& loop : of_kind(own, AxisKind::kSpatial)) {
      nest.push_back(loop.loop);
      if (loop.extent > 1) s_.unroll(loop.loop);
    }
    s_.reorder(nest);
    s_.decompose_reduction(s_.get_block(partial), nest.front());
    for (const std::string& buffer : how_.along) {
      if (how_.lanes > 1) fetch_lanes(partial, buffer, step);
    }
  }

  // What a step reads of a buffer, by as few accesses as that takes.
  void fetch_lanes(const std::string& partial, const std::string& buffer, LoopRV step) {
    attempt_steps(s_, [&](Schedule& tried) {
      const std::string copy =
          block_added_by(tried, [&] { tried.cache_read(tried.get_block(partial), buffer, "local"); });
      tried.compute_at(tried.get_block(copy), step);
      tried.vectorize(loops_of_block(tried, copy).back().loop);
    });
  }

  Schedule& s_;
  std::string name_;
  Sharing how_;
  LoopRV innermost_;  // around the last step of a thread
};

void fold_by_kernels(Schedule& s, const std::string& name) {
  std::vector<std::string> made;
  for (int64_t parts = fold_length(s, name); parts > kTreeStep;) {
    parts = (parts + kTreeStep - 1) / kTreeStep;
    const auto spatial = of_kind(loops_of_block(s, name), AxisKind::kSpatial).size();
    made.push_back(fold_in_parts(s, name, parts, static_cast<int64_t>(spatial)));
  }
  for (const std::string& part : made) schedule_elements(s, part);
  attempt_steps(s, [&](Schedule& tried) { schedule_elements(tried, name); });
}

}  // namespace

bool is_long_fold(Schedule& s, const std::string& name) {
  if (!schedule::is_reduction(block_named(s, name))) return false;
  const std::vector<BlockLoop> loops = loops_of_block(s, name);
  const int64_t length = iterations_of(of_kind(loops, AxisKind::kReduce)),
                results = iterations_of(of_kind(loops, AxisKind::kSpatial));
  if (!of_kind(loops, AxisKind::kOrdered).empty() || length < kShortestFold || results == 0) return false;
  const auto form = fold_form(s, name);
  const bool reads_along = form && form->walks == FoldForm::Walks::kFolded && form->reuses < kSmallestSide;
  return results < kFewResults || (length >= kLongFold && reads_along);
}

bool is_fold_of_columns(Schedule& s, const std::string& name) {
  const auto form = fold_form(s, name);
  return form && has_columns(*form) && fold_length(s, name) >= kShortestFold &&
         form->row_count * form->columns < kMemoryThreads;
}

void schedule_fold(Schedule& s, const std::string& name) {
  const auto form = fold_form(s, name);
  const bool is_one = of_kind(loops_of_block(s, name), AxisKind::kSpatial).empty();
  // Nor can several results that are made together, such as a maximum and its place, be given shared memory.
  if (!form || is_one) return fold_by_kernels(s, name);
  SharedFold(s, name, sharing_of(*form, fold_length(s, name))).make();
}

}  // namespace vantage::ops
