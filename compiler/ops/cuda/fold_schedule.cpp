#include "compiler/ops/cuda/fold_schedule.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/element_schedule.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kShortestFold = 64, kLongFold = 256, kFewResults = 8192, kShortestRow = 4;
constexpr int64_t kMostParts = 256, kFewestParts = 32, kLastParts = 16;
// What a thread adds up in a tree of kernels.
constexpr int64_t kTreeStep = 32;

// Whether the last reduce axis walks along the last dimension of something that each result has for itself.
bool folds_own_neighbours(const Block& block) {
  const auto is_own = [&](const Load& load, const Var& axis) {
    return std::ranges::any_of(load.indices, [&](const Expr& index) { return uses_var(index, axis); });
  };
  return std::ranges::any_of(loads_of(block), [&](const Load* load) {
    bool walks = false, own = true;
    for (const Axis& axis : block.axes) {
      if (axis.kind == AxisKind::kReduce) {
        walks = !load->indices.empty() && uses_var(load->indices.back(), axis.var);
      } else {
        own = own && is_own(*load, axis.var);
      }
    }
    return walks && own;
  });
}

int64_t parts_of(int64_t length) {
  int64_t parts = kFewestParts;
  while (parts < kMostParts && parts * 8 <= length) parts *= 2;
  return parts;
}

// All loops of the reduction as one, whose name is the block's innermost.
LoopRV one_fold(Schedule& s, const std::string& name) {
  std::vector<LoopRV> loops;
  for (const BlockLoop& loop : of_kind(loops_of_block(s, name), AxisKind::kReduce)) loops.push_back(loop.loop);
  if (loops.empty()) fail("{} reduces nothing", name);
  return loops.size() == 1 ? loops.front() : s.fuse(loops);
}

// Partial results, one for each of `parts`, by a block of its own. The given block folds these from here on.
std::string factored(Schedule& s, const std::string& name, int64_t parts) {
  const std::set<std::string> before = [&] {
    const auto names = names_of_blocks(s.function());
    return std::set<std::string>(names.begin(), names.end());
  }();
  const size_t spatial = of_kind(loops_of_block(s, name), AxisKind::kSpatial).size();
  const auto loops = s.split_by_factor(one_fold(s, name), parts);
  s.reorder({loops[1], loops[0]});
  s.rfactor(loops[1], static_cast<int64_t>(spatial));
  for (const std::string& other : names_of_blocks(s.function())) {
    if (before.count(other) == 0) return other;
  }
  internal_check_failed("rfactor makes a block", __FILE__, __LINE__);
}

// The reduction by `threads` parts, then by fewer. The new blocks, in order.
std::vector<std::string> factored_by_threads(Schedule& s, const std::string& name, int64_t threads) {
  std::vector<std::string> made = {factored(s, name, threads)};
  if (threads > kLastParts) made.push_back(factored(s, name, kLastParts));
  return made;
}

int64_t fold_length(Schedule& s, const std::string& name) {
  return iterations_of(of_kind(loops_of_block(s, name), AxisKind::kReduce));
}

// All other blocks of a kernel move into a loop of its last one, and share their work among its threads.
void gather_at(Schedule& s, const std::vector<std::string>& others, const std::string& last, LoopRV row,
               int64_t threads) {
  for (size_t i = others.size(); i-- > 0;) s.compute_at(s.get_block(others[i]), row);
  for (const std::string& name : others) bind_threads(s, name, 1, threads);
  bind_threads(s, last, 1, threads);
}

LoopRV row_loop(Schedule& s, const std::string& name, size_t count) {
  const std::vector<BlockLoop> loops = loops_of_block(s, name);
  std::vector<LoopRV> rows;
  for (size_t i = 0; i < count; ++i) rows.push_back(loops[i].loop);
  const LoopRV row = rows.size() == 1 ? rows.front() : s.fuse(rows);
  s.bind(row, "blockIdx.x");
  return row;
}

void fold_by_kernels(Schedule& s, const std::string& name) {
  const int64_t length = fold_length(s, name);
  std::vector<std::string> made;
  for (int64_t parts = length; parts > kTreeStep;) {
    parts = (parts + kTreeStep - 1) / kTreeStep;
    made.push_back(factored(s, name, parts));
  }
  for (const std::string& part : made) schedule_elements(s, part);
  attempt_steps(s, [&](Schedule& tried) { schedule_elements(tried, name); });
}

// The rows of a formula: how many of its first axes say which.
struct RowGroup {
  std::vector<std::string> others;  // in the order in which they are computed
  std::set<std::string> folds;      // those of them that reduce
  size_t axes = 0;
};

// Position of the last axis of a block by which it reads a buffer, plus one. 0 where it reads no single element of each
// row, or none.
size_t row_axes(const Block& block, const Buffer& buffer) {
  size_t count = 0;
  for (const Load* load : loads_of(block)) {
    if (load->buffer != buffer) continue;
    for (const Expr& index : load->indices) {
      for (size_t i = 0; i < block.axes.size(); ++i) {
        if (uses_var(index, block.axes[i].var)) count = std::max(count, i + 1);
      }
    }
  }
  return count;
}

RowGroup group_of(Schedule& s, const std::string& last) {
  RowGroup group;
  std::set<std::string> inside = {last};
  std::vector<std::string> names = names_of_blocks(s.function());
  names.erase(std::find(names.begin(), names.end(), last), names.end());
  for (size_t i = names.size(); i-- > 0;) {
    const std::vector<std::string> readers = readers_of(s, names[i]);
    const bool only_here = !readers.empty() && std::all_of(readers.begin(), readers.end(),
                                                           [&](const std::string& r) { return inside.count(r) > 0; });
    if (!only_here || !is_untouched(s, names[i]) ||
        s.function().is_param(schedule::written_by(block_named(s, names[i])).front()))
      continue;
    const bool reduces = schedule::is_reduction(block_named(s, names[i]));
    const auto results = of_kind(loops_of_block(s, names[i]), AxisKind::kSpatial);
    if (reduces && !is_long_fold(s, names[i]) && iterations_of(results) >= kFewResults) continue;
    inside.insert(names[i]);
    group.others.insert(group.others.begin(), names[i]);
    if (reduces) {
      group.folds.insert(names[i]);
      group.axes =
          std::max(group.axes, row_axes(block_named(s, last), schedule::written_by(block_named(s, names[i])).front()));
    }
  }
  return group;
}

}  // namespace

bool is_long_fold(Schedule& s, const std::string& name) {
  const Block block = block_named(s, name);
  if (!schedule::is_reduction(block)) return false;
  const std::vector<BlockLoop> loops = loops_of_block(s, name);
  const int64_t length = iterations_of(of_kind(loops, AxisKind::kReduce)),
                results = iterations_of(of_kind(loops, AxisKind::kSpatial));
  if (!of_kind(loops, AxisKind::kOrdered).empty() || length < kShortestFold || results == 0) return false;
  return results < kFewResults || (length >= kLongFold && folds_own_neighbours(block));
}

void schedule_fold(Schedule& s, const std::string& name) {
  const std::vector<BlockLoop> spatial = of_kind(loops_of_block(s, name), AxisKind::kSpatial);
  // Nor can several results that are made together, such as a maximum and its place, be given shared memory.
  if (spatial.empty() || schedule::written_by(block_named(s, name)).size() > 1) return fold_by_kernels(s, name);
  const int64_t threads = parts_of(fold_length(s, name));
  const std::vector<std::string> made = factored_by_threads(s, name, threads);
  for (const std::string& part : made) s.set_scope(s.get_block(part), "shared");
  std::string copy;
  attempt_steps(s, [&](Schedule& tried) { copy = keep_sum_local(tried, name); });
  const LoopRV row = row_loop(s, name, spatial.size());
  gather_at(s, made, name, row, threads);
  if (!copy.empty()) s.reverse_compute_at(s.get_block(copy), row);
}

bool schedule_rows(Schedule& s, const std::string& last, const cuda::Architecture& architecture) {
  if (!schedule::is_complete(block_named(s, last))) return false;
  const RowGroup group = group_of(s, last);
  if (group.folds.empty() || group.axes == 0) return false;
  std::vector<BlockLoop> of_row = loops_of_block(s, last);
  of_row.erase(of_row.begin(), of_row.begin() + static_cast<ptrdiff_t>(group.axes));
  // Of short rows, only those which the formula is long for as well.
  const bool is_long = std::ranges::any_of(group.folds, [&](const std::string& fold) { return is_long_fold(s, fold); });
  if (!is_long && iterations_of(of_row) < kShortestRow) return false;
  return attempt_on(architecture, s, [&](Schedule& tried) {
    int64_t threads = kFewestParts;
    for (const std::string& fold : group.folds) threads = std::max(threads, parts_of(fold_length(tried, fold)));
    const int64_t rows = [&] {
      std::vector<BlockLoop> loops = loops_of_block(tried, last);
      loops.resize(group.axes);
      return iterations_of(loops);
    }();
    std::vector<std::string> others;
    for (const std::string& name : group.others) {
      if (group.folds.count(name) == 0) {
        // Formulas that several read are computed where they are needed.
        if (attempt_steps(tried, [&](Schedule& t) { t.compute_inline(t.get_block(name)); })) continue;
        fail("{} is no formula", name);
      }
      const auto loops = loops_of_block(tried, name);
      if (iterations_of(of_kind(loops, AxisKind::kSpatial)) != rows) fail("{} has other rows than {}", name, last);
      for (const std::string& part : factored_by_threads(tried, name, threads)) {
        tried.set_scope(tried.get_block(part), "shared");
        others.push_back(part);
      }
      // One number for the row, which every thread finds for itself.
      tried.set_scope(tried.get_block(name), "local");
      others.push_back(name);
    }
    gather_at(tried, others, last, row_loop(tried, last, group.axes), threads);
  });
}

}  // namespace vantage::ops
