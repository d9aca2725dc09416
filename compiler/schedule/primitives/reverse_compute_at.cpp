#include <algorithm>

#include "base/error.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/accesses.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/movement.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/conditions.h"
#include "compiler/schedule/primitives/move_block.h"
#include "compiler/schedule/primitives/produced.h"
#include "compiler/schedule/primitives/whole.h"

namespace vantage::schedule {

namespace {

// How a block reads a buffer: per dimension the axis that indexes it, -1 for something else. Empty when it reads it in
// several manners.
std::vector<int> read_axes(const Block& block, const Buffer& buffer) {
  struct Search final : ir::Visitor {
    using Visitor::visit;
    const Block* block = nullptr;
    const ir::BufferNode* buffer = nullptr;
    std::vector<std::vector<int>> found;
    void visit_load(const ir::Load& node) override {
      Visitor::visit_load(node);
      if (node.buffer.get() != buffer) return;
      std::vector<int> axes;
      for (const Expr& index : node.indices) {
        const auto axis = std::find_if(block->axes.begin(), block->axes.end(),
                                       [&](const ir::Axis& a) { return a.var.same_as(index); });
        axes.push_back(axis == block->axes.end() ? -1 : static_cast<int>(axis - block->axes.begin()));
      }
      found.push_back(axes);
    }
  } search;
  search.block = &block;
  search.buffer = buffer.get();
  search.visit(block.body);
  for (const auto& axes : search.found) {
    if (axes != search.found.front()) return {};
  }
  return search.found.empty() ? std::vector<int>() : search.found.front();
}

// Loops down to the target must not carry a reduction that is to be complete inside it.
void check_reductions(const Path& target, const std::vector<Stmt>& producers) {
  std::vector<Stmt> loops = loops_of(target);
  loops.push_back(target.back());
  for (const Stmt& producer : producers) {
    const Block& block = *producer.as<Block>();
    for (const Stmt& loop : loops) {
      const Var& var = loop.as<For>()->var;
      if (!binds(block, var, ir::AxisKind::kReduce)) continue;
      fail("reverse_compute_at: the reduction of the block {} runs over the loop {} and is not complete inside {}",
           block.name, var.name(), loop_at(target).var.name());
    }
  }
}

// A buffer that a block reads, and those that make it in the loop.
struct Read {
  Buffer buffer;
  std::vector<int> axes;  // of the block, that index the buffer's dimensions
  std::vector<Producer> producers;
};

bool proved_equal(const ir::Range& a, const ir::Range& b, ir::Analyzer& analyzer) {
  return analyzer.prove(a.min == b.min) && analyzer.prove(a.extent == b.extent);
}
bool proved_inside(const ir::Range& a, const ir::Range& b, ir::Analyzer& analyzer) {
  return analyzer.prove(a.min >= b.min) && analyzer.prove(a.min + a.extent <= b.min + b.extent);
}

[[noreturn]] void refuse_dimension(const Block& block, const Read& read, size_t dimension) {
  fail("reverse_compute_at: the block {} reads dimension {} of {} at no plain axis", block.name, dimension,
       read.buffer->name);
}

// Of each axis, what all that the block reads is made of in one iteration; nothing: that is no box.
std::optional<AxisRanges> ranges_made(const Block& block, const std::vector<Read>& reads, ir::Analyzer& analyzer) {
  AxisRanges ranges(block.axes.size());
  for (const Read& read : reads) {
    std::optional<std::vector<ir::Range>> all;
    for (const Producer& producer : read.producers) {
      const auto box = box_made(producer, analyzer);
      if (!box) return std::nullopt;
      for (size_t d = 0; all && d < box->size(); ++d) {
        if (!proved_equal((*box)[d], (*all)[d], analyzer)) return std::nullopt;
      }
      all = box;
    }
    for (size_t d = 0; d < read.axes.size(); ++d) {
      const ir::Range& made = (*all)[d];
      if (read.axes[d] < 0) {
        if (proved_equal(made, {0, read.buffer->shape[d]}, analyzer)) continue;
        refuse_dimension(block, read, d);
      }
      auto& range = ranges[static_cast<size_t>(read.axes[d])];
      if (range && proved_inside(*range, made, analyzer)) continue;
      if (range && !proved_inside(made, *range, analyzer)) return std::nullopt;
      range = made;
    }
  }
  return ranges;
}

// The block in loops as its only producer's are, of the elements that this one makes, whichever they are.
Stmt nest_like_producer(const Block& block, const Read& read, const std::vector<Expr>& guards,
                        const std::vector<Expr>& conditions, ir::Analyzer& analyzer) {
  const Producer& producer = read.producers.front();
  const auto reduces = [&](const Expr& expr) {
    return std::any_of(producer.loops.begin(), producer.loops.end(), [&](const For* loop) {
      return ir::uses_var(expr, loop->var) && !selects(*producer.block, loop->var);
    });
  };
  std::vector<std::pair<Var, Expr>> loops;
  ir::VarMap copies;
  for (const For* loop : producer.loops) {
    if (!selects(*producer.block, loop->var)) continue;
    const Var var(loop->var.name(), loop->var.dtype());
    copies[loop->var.get()] = loop->min + var;
    loops.emplace_back(var, loop->extent);
    analyzer.bind(var, {ir::make_zero(var.dtype()), loop->extent});
  }
  Block result = block;
  result.predicate = ir::all_of(guards);
  for (const Expr& condition : ir::conjuncts(producer.block->predicate)) {
    if (!reduces(condition)) result.predicate = result.predicate && ir::substitute(condition, copies);
  }
  std::vector<bool> bound(block.axes.size(), false);
  const auto bind = [&](size_t axis, const Expr& first, const Expr& extent) {
    bound[axis] = true;
    result.bindings[axis] = analyzer.simplify(first);
    if (ir::is_int(extent, 1)) return;
    const Var var(fmt::format("ax{}", axis), block.axes[axis].var.dtype());
    loops.emplace_back(var, extent);
    analyzer.bind(var, {ir::make_zero(var.dtype()), extent});
    result.bindings[axis] = analyzer.simplify(first + var);
  };
  for (size_t d = 0; d < read.axes.size(); ++d) {
    const ir::Range made = ir::substitute(producer.instance[d], copies);
    if (read.axes[d] < 0) {
      if (proved_equal(made, {0, read.buffer->shape[d]}, analyzer)) continue;
      refuse_dimension(block, read, d);
    }
    const auto axis = static_cast<size_t>(read.axes[d]);
    // One element of two dimensions: a diagonal.
    if (bound[axis]) refuse_dimension(block, read, d);
    bind(axis, made.min, made.extent);
  }
  for (size_t axis = 0; axis < block.axes.size(); ++axis) {
    const ir::Range& domain = block.axes[axis].domain;
    if (!bound[axis]) bind(axis, domain.min, domain.extent);
    const Expr& value = result.bindings[axis];
    for (const Expr& inside : {value >= domain.min, value < domain.min + domain.extent}) {
      if (!analyzer.prove(inside)) result.predicate = result.predicate && analyzer.simplify(inside);
    }
  }
  add_conditions(result, conditions, analyzer);
  Stmt nest = make_stmt(std::move(result));
  for (size_t i = loops.size(); i-- > 0;) nest = ir::loop(loops[i].first, loops[i].second, nest);
  return nest;
}

}  // namespace

void reverse_compute_at(PrimFunc& function, const std::string& name, const Var& var) {
  const Path path = path_to_block(function, name);
  const Path target = path_to_loop(function, var);
  const Block& block = block_at(path);
  check_movable(path, target, "reverse_compute_at");
  if (!is_complete(block)) {
    fail("reverse_compute_at: the block {} reduces; only a block whose axes are all spatial can move", name);
  }
  const std::vector<Stmt> order = all_blocks(function);
  const auto position = [&](const Stmt& s) {
    return std::find_if(order.begin(), order.end(), [&](const Stmt& o) { return o.same_as(s); }) - order.begin();
  };
  if (position(path.back()) < position(blocks_below(target.back()).front())) {
    fail("reverse_compute_at: the block {} stands before the loop {}, it must read what is made there", name,
         var.name());
  }
  // What decompose_padding fills first must not be filled over what has been copied.
  for (const Buffer& output : written_by(block)) {
    for (const Stmt& writer : writers(function, path, output)) {
      const auto at = position(writer);
      if (at >= position(path.back()) || at < position(blocks_below(target.back()).front())) continue;
      fail("reverse_compute_at: the block {} writes {} before {} does, and would come after it in the loop {}",
           writer.as<Block>()->name, output->name, name, var.name());
    }
  }
  ir::Analyzer analyzer = analyzer_for(function, target);
  // What is read may have been made elsewhere before, or all of it in this loop.
  std::vector<Stmt> inside;
  std::vector<Read> reads;
  for (const Buffer& buffer : read_by(block)) {
    const std::vector<Stmt> producers = writers(function, path, buffer);
    const bool made_here =
        std::any_of(producers.begin(), producers.end(), [&](const Stmt& p) { return contains(target.back(), p); });
    if (made_here) {
      reads.push_back({buffer, read_axes(block, buffer), {}});
      if (reads.back().axes.empty()) {
        fail("reverse_compute_at: the block {} reads {} at several places", name, buffer->name);
      }
    }
    for (const Stmt& producer : producers) {
      const bool before = position(producer) < position(blocks_below(target.back()).front());
      if (contains(target.back(), producer)) {
        inside.push_back(producer);
        reads.back().producers.push_back(producer_in(function, target, *producer.as<Block>(), buffer));
      } else if (!before || made_here) {
        fail("reverse_compute_at: the block {} reads {}, which the block {} makes outside of the loop {}", name,
             buffer->name, producer.as<Block>()->name, var.name());
      }
    }
    if (made_here) check_reductions(target, producers);
  }
  if (inside.empty()) {
    fail("reverse_compute_at: the block {} reads nothing that is made inside the loop {}", name, var.name());
  }
  require_same_earlier(path, target, inside, "reverse_compute_at");
  require_defined_at(path, target, "reverse_compute_at", true);
  // What the block reads elsewhere than where it is made here would not be read again.
  for (const Read& read : reads) {
    const std::vector<Access> all = accesses(function, path);
    const bool made_elsewhere = std::any_of(all.begin(), all.end(), [&](const Access& access) {
      const bool is_inside =
          std::any_of(inside.begin(), inside.end(), [&](const Stmt& p) { return p.same_as(access.stmt); });
      return !is_inside && access.writes_any_of(read.buffer);
    });
    if (!made_elsewhere && !function.is_param(read.buffer)) continue;
    for (const Producer& producer : read.producers) {
      require_makes_all(function, path_to_block(function, producer.block->name), read.buffer, "reverse_compute_at",
                        fmt::format("the block {} reads the rest, too", name));
    }
  }
  const std::vector<Expr> conditions =
      conditions_on_axes(function, path, common_length(path, target), Concern::kAllAxes, "reverse_compute_at");
  std::vector<Var> outer;
  for (const Stmt& loop : loops_of(target)) outer.push_back(loop.as<For>()->var);
  outer.push_back(var);
  // Where none of its producers runs, nothing is there to be read.
  const std::vector<Expr> guards = common_guards(function, target, inside, {}, analyzer);
  const std::optional<AxisRanges> ranges = ranges_made(block, reads, analyzer);
  analyzer.assume(ir::all_of(guards));
  Stmt nest;
  if (ranges) {
    nest = new_nest(block, *ranges, outer, guards, conditions, Extents::kExact, analyzer);
  } else if (inside.size() == 1) {
    nest = nest_like_producer(block, reads.front(), guards, conditions, analyzer);
  } else {
    fail(
        "reverse_compute_at: what the block {} reads of {} in one iteration of the loop {} is made by several blocks, "
        "in different parts or with gaps between; move it to a loop further outside",
        name, reads.front().buffer->name, var.name());
  }

  // Behind its last producer.
  std::vector<Stmt> body = statements(loop_at(target));
  const auto last = std::find_if(body.rbegin(), body.rend(), [&](const Stmt& stmt) {
    return std::any_of(inside.begin(), inside.end(), [&](const Stmt& p) { return contains(stmt, p); });
  });
  body.insert(last.base(), nest);
  For loop = loop_at(target);
  loop.body = ir::seq(std::move(body));
  PrimFunc result = function;
  replace(result, target.back(), make_stmt(std::move(loop)));
  replace(result, path.back(), {});
  function = std::move(result);
}

}  // namespace vantage::schedule
