#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/move_block.h"

namespace vantage::schedule {

namespace {

// The window of one dimension that a block makes in an iteration of a loop, and how the window moves with the loop.
struct Window {
  size_t dimension = 0;
  size_t axis = 0;  // of the block, for this dimension
  Expr offset;      // of what an instance makes, from the beginning of the window
  int64_t size = 0, step = 0;
};

// A producer and its consumers inside the loop that is to roll.
struct Rolling {
  Path path;  // to the producer
  Path loop;
  Buffer buffer;
  std::vector<Stmt> consumers;
  std::vector<Var> inner;  // the producer's own loops
  Window window;
};

// The innermost loop around the producer that has all consumers inside, behind the producer.
void find_loop(const PrimFunc& function, Rolling& r) {
  const std::string& name = block_at(r.path).name;
  const std::vector<Stmt> loops = loops_of(r.path);
  const auto holds_all = [&](const Stmt& loop) {
    return std::all_of(r.consumers.begin(), r.consumers.end(), [&](const Stmt& c) { return contains(loop, c); });
  };
  const auto rolling = std::find_if(loops.rbegin(), loops.rend(), holds_all);
  if (rolling == loops.rend()) {
    fail("rolling_buffer: the block {} and the readers of {} have no loop in common; compute_at it into one of theirs",
         name, r.buffer->name);
  }
  for (auto loop = loops.rbegin(); loop != rolling; ++loop) r.inner.push_back(loop->as<For>()->var);
  r.loop = path_to_loop(function, rolling->as<For>()->var);
  for (auto loop = rolling; loop != loops.rend(); ++loop) {
    const For& around = *loop->as<For>();
    if (around.loop == ir::ForKind::kSerial || around.loop == ir::ForKind::kUnrolled) continue;
    fail(
        "rolling_buffer: the loop {} does not run one iteration after another, so the iteration that has made the rest "
        "of {} may not be done, or be another thread's; roll in a sequential loop",
        around.var.name(), r.buffer->name);
  }
  const std::vector<Stmt> order = blocks_below(r.loop.back());
  if (!order.front().same_as(r.path.back())) {
    const auto is_reader = [&](const Stmt& s) {
      return std::any_of(r.consumers.begin(), r.consumers.end(), [&](const Stmt& c) { return c.same_as(s); });
    };
    const auto first_reader = std::find_if(order.begin(), order.end(), is_reader);
    const auto producer =
        std::find_if(order.begin(), order.end(), [&](const Stmt& s) { return s.same_as(r.path.back()); });
    if (first_reader < producer) {
      fail("rolling_buffer: the block {} reads {} before the block {} makes it", first_reader->as<Block>()->name,
           r.buffer->name, name);
    }
  }
}

// The dimension that moves with the loop; all others must stay.
void find_window(Rolling& r, ir::Analyzer& analyzer) {
  const Block& block = block_at(r.path);
  const Var& loop = loop_at(r.loop).var;
  const std::vector<int> axes = output_axes(block, r.buffer, "rolling_buffer");
  if (binds(block, loop, ir::AxisKind::kReduce)) {
    fail("rolling_buffer: the loop {} carries the reduction of the block {}, which is whole only behind it",
         loop.name(), block.name);
  }
  bool found = false;
  for (size_t d = 0; d < axes.size(); ++d) {
    if (axes[d] < 0) continue;
    const auto axis = static_cast<size_t>(axes[d]);
    const Expr& binding = block.bindings[axis];
    if (!ir::uses_var(binding, loop)) continue;
    const auto no_window = [&] {
      fail(
          "rolling_buffer: in dimension {} of {}, the part '{}' that an iteration of {} makes has no constant size and "
          "step",
          d, r.buffer->name, ir::to_text(binding), loop.name());
    };
    const Expr low = analyzer.lower_bound(binding, r.inner), high = analyzer.upper_bound(binding, r.inner);
    if (!low.defined() || !high.defined()) no_window();
    const Expr size = analyzer.simplify(high - low + 1);
    const Expr step = analyzer.simplify(ir::substitute(low, {{loop.get(), loop + 1}}) - low);
    const Expr offset = analyzer.simplify(binding - low);
    if (ir::as_int(size) == nullptr || ir::as_int(step) == nullptr || ir::uses_var(offset, loop)) no_window();
    if (found) {
      fail("rolling_buffer: an iteration of the loop {} moves on in dimensions {} and {} of {}, expected one",
           loop.name(), r.window.dimension, d, r.buffer->name);
    }
    found = true;
    r.window = {d, axis, offset, *ir::as_int(size), *ir::as_int(step)};
  }
  if (!found || r.window.step == 0) {
    fail("rolling_buffer: every iteration of the loop {} makes the same part of {}; compute_at it outside of that loop",
         loop.name(), r.buffer->name);
  }
  if (r.window.step < 0) {
    fail("rolling_buffer: the iterations of the loop {} go through {} backwards", loop.name(), r.buffer->name);
  }
  if (r.window.step >= r.window.size) {
    fail(
        "rolling_buffer: an iteration of the loop {} makes {} of {} and the next one moves on by {}, so none is made "
        "twice",
        loop.name(), r.window.size, r.buffer->name, r.window.step);
  }
}

// Nobody may read what only an earlier iteration has made, and whoever reads must keep its place in the loop.
void check_consumers(const Rolling& r, const PrimFunc& function) {
  const Var& loop = loop_at(r.loop).var;
  ir::Analyzer analyzer = analyzer_for(function, r.loop);
  const ir::Regions touched = ir::regions(loop_at(r.loop).body, analyzer, {r.buffer});
  const auto box_in = [&](const std::vector<ir::BufferRegion>& list) {
    return std::find_if(list.begin(), list.end(), [&](const auto& region) { return region.buffer == r.buffer; });
  };
  const auto read = box_in(touched.reads), written = box_in(touched.writes);
  VANTAGE_CHECK(read != touched.reads.end() && written != touched.writes.end());
  const ir::Range& needed = read->box[r.window.dimension];
  const ir::Range& made = written->box[r.window.dimension];
  if (!analyzer.prove(needed.min >= made.min) ||
      !analyzer.prove(needed.min + needed.extent <= made.min + made.extent)) {
    fail(
        "rolling_buffer: an iteration of the loop {} reads {} of {}, and makes {}; expected that it makes all it reads",
        loop.name(), ir::to_text(needed), r.buffer->name, ir::to_text(made));
  }
  for (const Stmt& consumer : r.consumers) {
    const Block& block = *consumer.as<Block>();
    if (selects(block, loop)) continue;
    fail(
        "rolling_buffer: the loop {} is for the reduction of the block {} alone, which may run in any order; expected "
        "one that says which element {} makes",
        loop.name(), block.name, block.name);
  }
}

// Where an instance runs under a condition, so it must have run for the same element in the iteration before: that one
// was to keep it. `analyzer` knows the loops.
void check_predicate(const Rolling& r, ir::Analyzer& analyzer) {
  const Block& block = block_at(r.path);
  const For& loop = loop_at(r.loop);
  const Expr again = r.window.offset < r.window.size - r.window.step;
  const size_t facts = analyzer.assume(block.predicate && again && loop.var > loop.min);
  for (const Expr& part : ir::conjuncts(block.predicate)) {
    if (!ir::uses_var(part, [&](const ir::VarNode* v) {
          return v == loop.var.get() ||
                 std::any_of(r.inner.begin(), r.inner.end(), [&](const Var& i) { return i.get() == v; });
        })) {
      continue;
    }
    // The instance that made the element then: one iteration earlier, so many further in the window.
    const Expr offset = r.window.offset;
    const Var inner = Var::of(offset);
    ir::VarMap earlier = {{loop.var.get(), loop.var - 1}};
    const bool moves = ir::uses_var(part, [&](const ir::VarNode* v) {
      return std::any_of(r.inner.begin(), r.inner.end(),
                         [&](const Var& i) { return i.get() == v && ir::uses_var(offset, i); });
    });
    if (moves && inner.defined()) earlier[inner.get()] = inner + ir::make_int(inner.dtype(), r.window.step);
    if ((moves && !inner.defined()) || !analyzer.prove(ir::substitute(part, earlier))) {
      fail("rolling_buffer: the block {} runs where '{}', which may not have held in the iteration of {} before",
           block.name, ir::to_text(part), loop.var.name());
    }
  }
  analyzer.forget(facts);
}

// Indices of one dimension of a buffer taken around.
class Circular final : public ir::Mutator {
 public:
  Circular(const Buffer& old, const Buffer& circular, size_t dimension)
      : old_(old), circular_(circular), dimension_(dimension) {}
  using Mutator::visit;

 protected:
  Expr visit_load(const ir::Load& node, const Expr& self) override {
    if (node.buffer != old_) return Mutator::visit_load(node, self);
    return ir::load(circular_, around(visit(node.indices)));
  }
  Stmt visit_store(const ir::Store& node, const Stmt& self) override {
    if (node.buffer != old_) return Mutator::visit_store(node, self);
    return ir::store(circular_, around(visit(node.indices)), visit(node.value));
  }
  Buffer visit_buffer(const Buffer& buffer) override { return buffer == old_ ? circular_ : buffer; }
  Expr visit_view(const ir::View& node, const Expr& self) override {
    if (node.buffer == old_) {
      fail(
          "rolling_buffer: an instruction or a function of your own takes a part of {}, which may go around its end "
          "then",
          old_->name);
    }
    return Mutator::visit_view(node, self);
  }

 private:
  std::vector<Expr> around(std::vector<Expr> indices) const {
    Expr& index = indices[dimension_];
    index = floor_mod(index, cast(index.dtype(), circular_->shape[dimension_]));
    return indices;
  }
  const Buffer& old_;
  const Buffer& circular_;
  size_t dimension_;
};

// A block whose steps come one after another where they move with the loop.
Stmt in_order(const Stmt& stmt, const Var& loop) {
  Block block = *stmt.as<Block>();
  for (size_t i = 0; i < block.axes.size(); ++i) {
    ir::Axis& axis = block.axes[i];
    if (axis.kind == ir::AxisKind::kSpatial && ir::uses_var(block.bindings[i], loop))
      axis.kind = ir::AxisKind::kOrdered;
  }
  return make_stmt(std::move(block));
}

}  // namespace

void rolling_buffer(PrimFunc& function, const std::string& name) {
  Rolling r;
  r.path = path_to_block(function, name);
  const Block& block = block_at(r.path);
  r.buffer = single_output(block, "rolling_buffer");
  if (function.is_param(r.buffer)) {
    fail("rolling_buffer: {} belongs to the caller, who wants it whole; cache_write the block {} first", r.buffer->name,
         name);
  }
  if (writers(function, r.path, r.buffer).size() != 1) {
    fail("rolling_buffer: other blocks than {} write {} as well; do it before decompose_reduction", name,
         r.buffer->name);
  }
  if (block.annotations.count("rolling_buffer") > 0) fail("rolling_buffer: the block {} rolls already", name);
  if (block.annotations.count("double_buffer") > 0) {
    fail("rolling_buffer: {} is double buffered: its iterations take turns in several places, and keep nothing",
         r.buffer->name);
  }
  r.consumers = readers(function, r.path, r.buffer);
  if (r.consumers.empty()) fail("rolling_buffer: nothing reads {}, which the block {} makes", r.buffer->name, name);
  find_loop(function, r);
  const For& loop = loop_at(r.loop);
  ir::Analyzer analyzer = analyzer_for(function, r.path);
  find_window(r, analyzer);
  check_consumers(r, function);
  check_predicate(r, analyzer);

  PrimFunc result = function;
  Block rolled = *in_order(r.path.back(), loop.var).as<Block>();
  // The first iteration makes all of the window, each other one what the window has moved on by.
  const Expr is_new = r.window.offset >= r.window.size - r.window.step;
  rolled.predicate = block.predicate && (loop.var == loop.min || is_new);
  rolled.annotations["rolling_buffer"] = r.window.size;
  replace(result, r.path.back(), make_stmt(std::move(rolled)));
  for (const Stmt& consumer : r.consumers) replace(result, consumer, in_order(consumer, loop.var));

  ir::BufferNode node = *r.buffer;
  const int64_t* whole = ir::as_int(node.shape[r.window.dimension]);
  if (whole == nullptr || *whole > r.window.size) {
    node.shape[r.window.dimension] = ir::make_int(node.shape[r.window.dimension].dtype(), r.window.size);
    node.strides.clear();
    const Buffer circular = ir::make_buffer(std::move(node));
    result.body = Circular(r.buffer, circular, r.window.dimension).visit(result.body);
    std::replace(result.allocations.begin(), result.allocations.end(), r.buffer, circular);
  }
  function = std::move(result);
}

}  // namespace vantage::schedule
