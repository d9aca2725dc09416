#include <fmt/ranges.h>

#include "base/error.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/unrolling.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

std::string_view primitive_name(ir::ForKind kind) {
  switch (kind) {
    case ir::ForKind::kSerial: return "serial";
    case ir::ForKind::kParallel: return "parallel";
    case ir::ForKind::kVectorized: return "vectorize";
    case ir::ForKind::kUnrolled: return "unroll";
    case ir::ForKind::kThread:
    case ir::ForKind::kVirtualThread: return "bind";
  }
  return {};
}

}  // namespace

void set_loop_kind(PrimFunc& function, const Var& var, ir::ForKind kind, const std::string& thread) {
  const Path path = path_to_loop(function, var);
  const std::string_view primitive = primitive_name(kind);
  const bool in_order = kind == ir::ForKind::kSerial || kind == ir::ForKind::kUnrolled;
  For loop = loop_at(path);
  if (loop.loop != ir::ForKind::kSerial && loop.loop != kind) {
    fail("{}: the loop {} is already bound, parallel, vectorized or unrolled", primitive, var.name());
  }
  if (kind == ir::ForKind::kThread && !ir::is_thread_axis(thread)) {
    fail("bind: the loop {} cannot be bound to '{}'; expected {} or vthread", var.name(), thread,
         fmt::join(ir::kThreadAxes, ", "));
  }
  if (!in_order) {
    for (const Stmt& stmt : blocks_below(loop.body, true)) {
      const Block& block = *stmt.as<Block>();
      if (binds(block, var, ir::AxisKind::kReduce)) {
        fail("{}: the loop {} carries the reduction of the block {}, which cannot run at once; rfactor it first",
             primitive, var.name(), block.name);
      }
      if (binds(block, var, ir::AxisKind::kOrdered)) {
        fail("{}: the loop {} carries the steps of the block {}, which need earlier ones", primitive, var.name(),
             block.name);
      }
      // Iterations of a parallel loop have a circular buffer each, but threads may share memory.
      if (kind != ir::ForKind::kParallel && keeps_places_in(loop, block)) {
        fail(
            "{}: the loop {} holds the block {}, which rolling_buffer lets keep what it makes for the next iteration; "
            "run it on one thread",
            primitive, var.name(), block.name);
      }
    }
  }
  if (kind == ir::ForKind::kVectorized && ir::as_int(loop.extent) == nullptr) {
    fail("vectorize: the loop {} has no constant number of iterations; split it first", var.name());
  }
  loop.loop = kind;
  loop.thread = thread;
  PrimFunc result = function;
  replace(result, path.back(), make_stmt(std::move(loop)));
  if (kind == ir::ForKind::kUnrolled) {
    if (const std::string why = ir::unrolled_too_far(result.body); !why.empty()) throw Error(why);
  }
  function = std::move(result);
}

void annotate_loop(PrimFunc& function, const Var& var, const std::string& key, const Expr& value) {
  const Path path = path_to_loop(function, var);
  For loop = loop_at(path);
  loop.annotations[key] = value;
  replace(function, path.back(), make_stmt(std::move(loop)));
}

void annotate_block(PrimFunc& function, const std::string& name, const std::string& key, const Expr& value) {
  const Path path = path_to_block(function, name);
  Block block = block_at(path);
  block.annotations[key] = value;
  replace(function, path.back(), make_stmt(std::move(block)));
}

}  // namespace vantage::schedule
