#include <algorithm>

#include "base/error.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/schedule/accesses.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/movement.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/conditions.h"
#include "compiler/schedule/primitives/move_block.h"

namespace vantage::schedule {

namespace {

// The loops around a place, its own included, that use one memory of this scope together.
std::vector<Var> sharing_loops(const Path& target, const std::string& scope) {
  std::vector<Var> result;
  for (const Stmt& stmt : target) {
    const auto* loop = stmt.as<For>();
    if (loop != nullptr && ir::is_shared(scope) && ir::is_sharing(*loop)) result.push_back(loop->var);
  }
  return result;
}

}  // namespace

void compute_at(PrimFunc& function, const std::string& name, const Var& var) {
  const Path path = path_to_block(function, name);
  const Path target = path_to_loop(function, var);
  const Block& block = block_at(path);
  check_movable(path, target, "compute_at");
  const Buffer output = single_output(block, "compute_at");
  if (function.is_param(output)) {
    fail("compute_at: the block {} makes {}, which the caller wants whole; move what reads it with reverse_compute_at",
         name, output->name);
  }
  if (writers(function, path, output).size() != 1) {
    fail("compute_at: other blocks than {} write {} as well", name, output->name);
  }
  const std::vector<Stmt> consumers = readers(function, path, output);
  if (consumers.empty()) fail("compute_at: nothing reads {}, which the block {} makes", output->name, name);
  for (const Stmt& consumer : consumers) {
    if (!contains(target.back(), consumer)) {
      fail("compute_at: the block {} reads {} outside of the loop {}", consumer.as<Block>()->name, output->name,
           var.name());
    }
  }
  for (const Access& access : accesses(function, path)) {
    const bool is_reader =
        std::any_of(consumers.begin(), consumers.end(), [&](const Stmt& c) { return c.same_as(access.stmt); });
    if (is_reader || access.stmt.same_as(path.back())) continue;
    if (!access.reads_any_of(output) && !access.writes_any_of(output)) continue;
    fail("compute_at: {} touches {}, which the block {} makes; it must be in a block that reads it", described(access),
         output->name, name);
  }
  std::vector<Path> readers_of_it;
  for (const Stmt& consumer : consumers) readers_of_it.push_back(path_to_stmt(function, consumer));
  require_defined_at(path, target, "compute_at");
  require_same_later(function, path, readers_of_it, output, "compute_at");
  const size_t around = common_length(path, target);
  for (size_t i = 0; i < around; ++i) {
    const auto* loop = path[i].as<For>();
    if (loop == nullptr || !binds(block, loop->var, ir::AxisKind::kReduce)) continue;
    fail("compute_at: the loop {}, which is around both, carries the reduction of the block {}", loop->var.name(),
         name);
  }
  const std::vector<Expr> conditions = conditions_on_axes(function, path, around, Concern::kReduction, "compute_at");
  const std::vector<int> axes = output_axes(block, output, "compute_at");

  std::vector<Var> outer;
  for (const Stmt& loop : loops_of(target)) outer.push_back(loop.as<For>()->var);
  outer.push_back(var);

  // What one iteration of the loop reads, where it reads anything; in memory that threads share, what all of them do.
  ir::Analyzer analyzer = analyzer_for(function, target);
  const std::vector<Var> sharing = sharing_loops(target, output->scope);
  const std::vector<Expr> guards = common_guards(function, target, consumers, sharing, analyzer);
  analyzer.assume(ir::all_of(guards));
  const ir::Regions touched = ir::regions(loop_at(target).body, analyzer, {output});
  const auto needed = std::find_if(touched.reads.begin(), touched.reads.end(),
                                   [&](const ir::BufferRegion& region) { return region.buffer == output; });
  VANTAGE_CHECK(needed != touched.reads.end());
  AxisRanges ranges(block.axes.size());
  for (size_t d = 0; d < axes.size(); ++d) {
    if (axes[d] >= 0) ranges[static_cast<size_t>(axes[d])] = ir::swept(needed->box[d], sharing, analyzer);
  }
  const Stmt nest = new_nest(block, ranges, outer, guards, conditions, Extents::kLargest, analyzer);

  // Before its first reader.
  std::vector<Stmt> body = statements(loop_at(target));
  const auto first = std::find_if(body.begin(), body.end(), [&](const Stmt& stmt) {
    return std::any_of(consumers.begin(), consumers.end(), [&](const Stmt& c) { return contains(stmt, c); });
  });
  body.insert(first, nest);
  For loop = loop_at(target);
  loop.body = ir::seq(std::move(body));
  PrimFunc result = function;
  replace(result, target.back(), make_stmt(std::move(loop)));
  replace(result, path.back(), {});
  function = std::move(result);
}

}  // namespace vantage::schedule
