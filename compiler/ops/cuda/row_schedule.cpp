#include "compiler/ops/cuda/row_schedule.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>

#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/element_schedule.h"
#include "compiler/ops/cuda/fold_parts.h"
#include "compiler/ops/cuda/fold_schedule.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kShortestRow = 4, kLongestRow = 1 << 16;

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

// A formula's rows: folds whose results it reads, one of each for a row, and what else these need.
struct RowGroup {
  std::vector<std::string> others;  // in the order in which they are computed
  std::set<std::string> folds;      // those of them that reduce
  std::set<size_t> axes;            // of the formula, that say which row it is
  int64_t longest = 0;              // of the folds

  bool leads() const { return axes.size() == *axes.rbegin() + 1; }
};

// The axes of a block by which it reads a buffer.
std::set<size_t> row_axes(const Block& block, const Buffer& buffer) {
  std::set<size_t> result;
  for (const Load* load : loads_of(block)) {
    if (load->buffer != buffer) continue;
    for (size_t i = 0; i < block.axes.size(); ++i) {
      const auto uses = [&](const Expr& index) { return uses_var(index, block.axes[i].var); };
      if (std::ranges::any_of(load->indices, uses)) result.insert(i);
    }
  }
  return result;
}

// Of the folds those that are wanted. Nothing where there is none, or none that differs from row to row.
std::optional<RowGroup> group_of(Schedule& s, const std::string& last,
                                 const std::function<bool(const std::string&)>& wanted) {
  if (!schedule::is_complete(block_named(s, last))) return std::nullopt;
  RowGroup group;
  std::set<std::string> inside = {last};
  std::vector<std::string> names = names_of_blocks(s.function());
  names.erase(std::find(names.begin(), names.end(), last), names.end());
  for (size_t i = names.size(); i-- > 0;) {
    const std::vector<std::string> readers = readers_of(s, names[i]);
    const auto is_inside = [&](const std::string& reader) { return inside.count(reader) > 0; };
    if (readers.empty() || !std::ranges::all_of(readers, is_inside) || !is_untouched(s, names[i])) continue;
    const Block block = block_named(s, names[i]);
    const Buffer made = schedule::written_by(block).front();
    const bool reduces = schedule::is_reduction(block);
    if (s.function().is_param(made) || (reduces && !wanted(names[i]))) continue;
    inside.insert(names[i]);
    group.others.insert(group.others.begin(), names[i]);
    if (!reduces) continue;
    group.folds.insert(names[i]);
    group.axes.merge(row_axes(block_named(s, last), made));
    group.longest = std::max(group.longest, fold_length(s, names[i]));
  }
  if (group.folds.empty() || group.axes.empty()) return std::nullopt;
  return group;
}

// How many rows a formula has, and how many elements each.
std::array<int64_t, 2> rows_of(Schedule& s, const std::string& last, const RowGroup& group) {
  std::array<int64_t, 2> counts = {1, 1};
  const std::vector<BlockLoop> loops = loops_of_block(s, last);
  for (size_t i = 0; i < loops.size(); ++i) counts[group.axes.count(i) > 0 ? 0 : 1] *= loops[i].extent;
  return counts;
}

// Whether it is computed of one fold, result by result: the fold's own rule does that with the last step.
bool is_by_results(Schedule& s, const std::string& last, const RowGroup& group) {
  if (group.folds.size() > 1 || rows_of(s, last, group)[1] != 1) return false;
  const std::string& fold = *group.folds.begin();
  return is_long_fold(s, fold) || is_fold_of_columns(s, fold);
}

// Formulas among the others move into what reads them. Throws Error for a fold of other rows than the formula's.
void prepare_group(Schedule& s, const std::string& last, const RowGroup& group) {
  for (const std::string& name : group.others) {
    if (group.folds.count(name) == 0) {
      s.compute_inline(s.get_block(name));
    } else if (iterations_of(of_kind(loops_of_block(s, name), AxisKind::kSpatial)) != rows_of(s, last, group)[0]) {
      fail("{} has other rows than {}", name, last);
    }
  }
}

}  // namespace

bool schedule_rows(Schedule& s, const std::string& last, const cuda::Architecture& architecture) {
  const auto group = group_of(s, last, [&](const std::string& fold) {
    return is_long_fold(s, fold) || iterations_of(of_kind(loops_of_block(s, fold), AxisKind::kSpatial)) < kFewResults;
  });
  if (!group || !group->leads() || is_by_results(s, last, *group)) return false;
  const int64_t elements = rows_of(s, last, *group)[1];
  // Of short rows, only those which the formula is long for as well.
  const bool is_long = std::ranges::any_of(group->folds, [&](const std::string& f) { return is_long_fold(s, f); });
  if ((!is_long && elements < kShortestRow) || elements > kLongestRow) return false;
  return attempt_on(architecture, s, [&](Schedule& tried) {
    prepare_group(tried, last, *group);
    const int64_t threads = threads_of_fold(group->longest);
    std::vector<std::string> others;
    for (const std::string& name : group->others) {
      if (group->folds.count(name) == 0) continue;
      for (const std::string& part : fold_by_threads(tried, name, threads)) {
        tried.set_scope(tried.get_block(part), "shared");
        others.push_back(part);
      }
      // One number for the row, which every thread finds for itself.
      tried.set_scope(tried.get_block(name), "local");
      others.push_back(name);
    }
    gather_at(tried, others, last, row_loop(tried, last, group->axes.size()), threads);
  });
}

bool schedule_short_rows(Schedule& s, const std::string& last, const cuda::Architecture& architecture) {
  const auto group = group_of(s, last, [&](const std::string& fold) { return !is_long_fold(s, fold); });
  if (!group || is_by_results(s, last, *group)) return false;
  const auto [count, elements] = rows_of(s, last, *group);
  // A thread has no more to do for the formula than for what it reads.
  if (count == 0 || elements == 0 || elements > group->longest) return false;
  return attempt_on(architecture, s, [&](Schedule& tried) {
    prepare_group(tried, last, *group);
    const std::vector<LoopRV> loops = tried.get_loops(tried.get_block(last));
    std::vector<LoopRV> rows, order;
    for (const size_t axis : group->axes) rows.push_back(loops[axis]);
    order = rows;
    for (size_t i = 0; i < loops.size(); ++i) {
      if (group->axes.count(i) == 0) order.push_back(loops[i]);
    }
    if (!group->leads()) tried.reorder(order);
    const LoopRV row = rows.size() == 1 ? rows.front() : tried.fuse(rows);
    const auto parts = tried.split_by_factor(row, threads_for(rows_of(s, last, *group)[0]));
    tried.bind(parts[0], "blockIdx.x");
    tried.bind(parts[1], "threadIdx.x");
    for (size_t i = group->others.size(); i-- > 0;) {
      if (group->folds.count(group->others[i]) == 0) continue;
      tried.set_scope(tried.get_block(group->others[i]), "local");
      tried.compute_at(tried.get_block(group->others[i]), parts[1]);
    }
  });
}

}  // namespace vantage::ops
