#include <algorithm>
#include <optional>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

bool is_literal(const Expr& e) {
  return e.as<ir::IntImm>() != nullptr || e.as<ir::FloatImm>() != nullptr;
}

// A padding: `value` where `inside` holds, elsewhere `constant`.
struct Padding {
  const ir::Store* store = nullptr;
  Expr inside, value, constant;
};

Padding padding_of(const Block& block) {
  Padding padding;
  padding.store = block.body.as<ir::Store>();
  const auto* choice = padding.store == nullptr ? nullptr : padding.store->value.as<ir::Select>();
  if (!is_complete(block) || choice == nullptr || is_literal(choice->if_true) == is_literal(choice->if_false)) {
    fail(
        "decompose_padding: the block {} is no padding; expected one that stores if_then_else(condition, value, "
        "constant)",
        block.name);
  }
  const bool constant_last = is_literal(choice->if_false);
  padding.inside = constant_last ? choice->condition : !choice->condition;
  padding.value = constant_last ? choice->if_true : choice->if_false;
  padding.constant = constant_last ? choice->if_false : choice->if_true;
  return padding;
}

// A block with nothing but loops around it, of which the ones below a certain loop may change.
struct Nest {
  std::vector<For> loops;  // outermost first
  Block block;

  Stmt whole() const {
    Stmt result = make_stmt(Block(block));
    for (size_t i = loops.size(); i-- > 0;) {
      For loop = loops[i];
      loop.body = result;
      result = make_stmt(std::move(loop));
    }
    return result;
  }
};

// Where a condition bounds one variable by constants and says nothing else: its smallest and largest value.
std::optional<std::pair<Var, ir::Bounds>> bound_of(const Expr& condition) {
  const auto* op = condition.as<ir::Binary>();
  if (op == nullptr || !ir::counts(op->a.dtype())) return std::nullopt;
  // difference >= 0
  ir::Linear difference;
  switch (op->op) {
    case ir::BinaryOp::kGe:
    case ir::BinaryOp::kGt: difference = ir::Linear::of(op->a - op->b); break;
    case ir::BinaryOp::kLe:
    case ir::BinaryOp::kLt: difference = ir::Linear::of(op->b - op->a); break;
    default: return std::nullopt;
  }
  if (op->op == ir::BinaryOp::kGt || op->op == ir::BinaryOp::kLt) difference.add_constant(-1);
  if (!difference.exact || difference.terms.size() != 1) return std::nullopt;
  const auto& [atom, factor] = difference.terms.front();
  const Var var = Var::of(atom);
  if (!var.defined()) return std::nullopt;
  if (factor == 1) return std::pair{var, ir::Bounds{-difference.constant, ir::Bounds::kInfinity}};
  if (factor == -1) return std::pair{var, ir::Bounds{-ir::Bounds::kInfinity, difference.constant}};
  return std::nullopt;
}

// Lets a loop run over a part of its iterations only, counted from 0 again. An axis that it moves alone becomes as
// short.
void shorten(Nest& nest, size_t index, const ir::Bounds& bounds, ir::Analyzer& analyzer) {
  For& loop = nest.loops[index];
  const int64_t first = std::max(*ir::as_int(loop.min), bounds.min);
  const int64_t last = std::min(*ir::as_int(loop.min) + *ir::as_int(loop.extent) - 1, bounds.max);
  if (first > last) return;
  const ir::DType type = loop.var.dtype();
  const Expr extent = ir::make_int(type, last - first + 1);
  const ir::VarMap moved = {{loop.var.get(), loop.var + ir::make_int(type, first)}};
  for (size_t i = 0; i < nest.block.axes.size(); ++i) {
    ir::Axis& axis = nest.block.axes[i];
    const bool alone = nest.block.bindings[i].same_as(loop.var) && axis.var.dtype() == type;
    if (alone) axis.domain = {ir::make_int(type, first), extent};
    nest.block.bindings[i] = ir::substitute(nest.block.bindings[i], moved);
  }
  nest.block.predicate = ir::substitute(nest.block.predicate, moved);
  for (size_t i = index + 1; i < nest.loops.size(); ++i) {
    nest.loops[i].min = ir::substitute(nest.loops[i].min, moved);
    nest.loops[i].extent = ir::substitute(nest.loops[i].extent, moved);
  }
  loop.min = ir::make_zero(type);
  loop.extent = extent;
  analyzer.bind(loop.var, {loop.min, loop.extent});
}

// Loops that the condition bounds become shorter. Threads keep their iterations, so that each still overwrites only
// what it has filled itself.
void shorten_all(Nest& nest, ir::Analyzer& analyzer) {
  for (size_t i = 0; i < nest.loops.size(); ++i) {
    const For& loop = nest.loops[i];
    const bool in_order = loop.loop == ir::ForKind::kSerial || loop.loop == ir::ForKind::kUnrolled;
    if (!in_order || ir::as_int(loop.min) == nullptr || ir::as_int(loop.extent) == nullptr) continue;
    ir::Bounds bounds;
    for (const Expr& part : ir::conjuncts(nest.block.predicate)) {
      const auto bound = bound_of(part);
      if (!bound || !bound->first.same_as(loop.var)) continue;
      bounds.min = std::max(bounds.min, bound->second.min);
      bounds.max = std::min(bounds.max, bound->second.max);
    }
    if (bounds.min != -ir::Bounds::kInfinity || bounds.max != ir::Bounds::kInfinity) {
      shorten(nest, i, bounds, analyzer);
    }
  }
  Expr predicate = true;
  for (const Expr& part : ir::conjuncts(nest.block.predicate)) {
    if (!analyzer.prove(part)) predicate = predicate && analyzer.simplify(part);
  }
  nest.block.predicate = predicate;
}

// The same loops, of the same kinds, around a block that stores the constant.
Stmt fill_nest(const Nest& nest, const Padding& padding, std::string name) {
  Nest fill = nest;
  fill.block.name = std::move(name);
  fill.block.annotations.clear();
  fill.block.body = ir::store(padding.store->buffer, padding.store->indices, padding.constant);
  return ir::fresh_copy(fill.whole());
}

}  // namespace

std::string decompose_padding(PrimFunc& function, const std::string& name, const Var& var) {
  const Path path = path_to_block(function, name);
  const Block& block = block_at(path);
  const Padding padding = padding_of(block);
  if (ir::reads_memory(padding.inside)) {
    fail("decompose_padding: the block {} chooses by '{}', by what it reads; expected a condition on its axes", name,
         ir::to_text(padding.inside));
  }
  const std::vector<Stmt> loops = loops_of(path);
  const auto target =
      std::find_if(loops.begin(), loops.end(), [&](const Stmt& s) { return s.as<For>()->var.same_as(var); });
  if (target == loops.end()) fail("decompose_padding: the loop {} is not around the block {}", var.name(), name);
  const std::vector<Buffer> inputs = read_by(block);
  if (std::find(inputs.begin(), inputs.end(), padding.store->buffer) != inputs.end()) {
    fail("decompose_padding: the block {} reads {}, which it writes", name, padding.store->buffer->name);
  }

  Nest nest;
  for (auto loop = target; loop != loops.end(); ++loop) nest.loops.push_back(*loop->as<For>());
  nest.block = block;
  const std::string fill_name = unique_block_name(function, name + "_pad");
  const Stmt fill = fill_nest(nest, padding, fill_name);

  // Loops with nothing but the block in them may become shorter.
  Nest alone;
  alone.block = block;
  size_t first = nest.loops.size();
  Stmt inner = path.back();
  while (first > 0 && nest.loops[first - 1].body.same_as(inner)) {
    --first;
    inner = target[static_cast<ptrdiff_t>(first)];
  }
  alone.loops.assign(nest.loops.begin() + static_cast<ptrdiff_t>(first), nest.loops.end());
  ir::VarMap bindings;
  for (size_t i = 0; i < block.axes.size(); ++i) bindings[block.axes[i].var.get()] = block.bindings[i];
  ir::Analyzer analyzer = analyzer_for(function, path);
  alone.block.predicate = block.predicate && analyzer.simplify(ir::substitute(padding.inside, bindings));
  alone.block.body = ir::store(padding.store->buffer, padding.store->indices, padding.value);
  shorten_all(alone, analyzer);

  PrimFunc result = function;
  replace(result, inner, alone.whole());
  // The target itself may be among the loops that have changed, and is where the block is now.
  const Path copy = path_to_block(result, name);
  const Stmt changed = loops_of(copy)[static_cast<size_t>(target - loops.begin())];
  replace(result, changed, ir::seq({fill, changed}));
  function = std::move(result);
  return fill_name;
}

}  // namespace vantage::schedule
