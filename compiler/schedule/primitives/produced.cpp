// An index is a number whose digits are the loops: i_0 * 4 + i_1. It takes all values from the smallest to the largest
// when no digit's factor is larger than the count of values that the lower digits reach.
#include "compiler/schedule/primitives/produced.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/dependence.h"

namespace vantage::schedule {

namespace {

// factor * (loop // divisor % extent).
struct Digit {
  const For* loop;
  int64_t divisor;
  Expr extent;
  int64_t factor;
};

// A sum of loops and of something that stays, and the numbers right behind it.
struct Number {
  std::vector<Digit> digits;  // the lowest first
  Expr rest;
  int64_t width = 1;  // how many numbers there are
};

// A loop, or what is left of loops that were fused: nothing for other expressions.
std::optional<Digit> digit(const Expr& atom, const std::vector<const For*>& loops) {
  if (const Var var = Var::of(atom); var.defined()) {
    const auto loop = std::find_if(loops.begin(), loops.end(), [&](const For* l) { return l->var.same_as(var); });
    if (loop == loops.end() || !ir::is_int((*loop)->min, 0)) return std::nullopt;
    return Digit{*loop, 1, (*loop)->extent, 1};
  }
  const auto* op = atom.as<ir::Binary>();
  const int64_t* number = op == nullptr ? nullptr : ir::as_int(op->b);
  if (number == nullptr || *number < 1) return std::nullopt;
  auto result = digit(op->a, loops);
  const int64_t* extent = result ? ir::as_int(result->extent) : nullptr;
  if (extent == nullptr || *extent % *number != 0) return std::nullopt;
  if (op->op == ir::BinaryOp::kFloorDiv) {
    result->divisor *= *number;
    result->extent = ir::make_int(result->extent.dtype(), *extent / *number);
  } else if (op->op == ir::BinaryOp::kFloorMod) {
    result->extent = ir::make_int(result->extent.dtype(), *number);
  } else {
    return std::nullopt;
  }
  return result;
}

// Whether two digits may take any values, whatever the other one is.
bool independent(const Digit& a, const Digit& b) {
  if (a.loop != b.loop) return true;
  if (a.divisor > b.divisor) return independent(b, a);
  const int64_t* extent = ir::as_int(a.extent);
  return extent != nullptr && b.divisor % (a.divisor * *extent) == 0;
}

bool uses_any(const Expr& expr, const std::vector<const For*>& loops) {
  return ir::uses_var(expr, [&](const ir::VarNode* v) {
    return std::any_of(loops.begin(), loops.end(), [&](const For* loop) { return loop->var.get() == v; });
  });
}

std::optional<Number> number(const Expr& expr, const std::vector<const For*>& loops, ir::Analyzer& analyzer) {
  const ir::Linear sum = ir::Linear::of(analyzer.simplify(expr));
  if (!sum.exact) return std::nullopt;
  Number result;
  ir::Linear rest;
  rest.constant = sum.constant;
  for (const auto& [atom, factor] : sum.terms) {
    if (!uses_any(atom, loops)) {
      rest.add(atom, factor);
      continue;
    }
    auto part = digit(atom, loops);
    if (!part || factor < 0) return std::nullopt;
    part->factor = factor;
    result.digits.push_back(*part);
  }
  result.rest = rest.to_expr(expr.dtype());
  std::sort(result.digits.begin(), result.digits.end(),
            [](const Digit& a, const Digit& b) { return a.factor < b.factor; });
  return result;
}

// How many numbers the digits below `end` reach; nothing where this is no constant.
std::optional<int64_t> reach(const Number& number, size_t end) {
  int64_t result = number.width;
  for (size_t i = 0; i < end; ++i) {
    const int64_t* extent = ir::as_int(number.digits[i].extent);
    int64_t part = 0;
    if (extent == nullptr || __builtin_mul_overflow(number.digits[i].factor, *extent - 1, &part) ||
        __builtin_add_overflow(result, part, &result)) {
      return std::nullopt;
    }
  }
  return result;
}

// Whether the digits take all numbers up to the largest.
bool dense(const Number& number) {
  for (size_t i = 0; i < number.digits.size(); ++i) {
    const auto below = reach(number, i);
    if (!below || number.digits[i].factor > *below) return false;
  }
  return true;
}

// Where `condition` < 0 ends an index if it is on the upper digits of this index; null: it is no such condition.
Expr end_by(const Number& condition, const Number& index) {
  if (condition.digits.empty() || condition.digits.size() > index.digits.size()) return {};
  const size_t lower = index.digits.size() - condition.digits.size();
  const int64_t factor = index.digits[lower].factor;
  for (size_t i = 0; i < condition.digits.size(); ++i) {
    const Digit &a = condition.digits[i], &b = index.digits[lower + i];
    const bool same = a.loop == b.loop && a.divisor == b.divisor && ir::structural_equal(a.extent, b.extent);
    if (!same || a.factor * factor != b.factor) return {};
  }
  // Any value of the upper digits, times `factor`, and any of the lower ones.
  const auto below = reach(index, lower);
  if (!below || factor > *below || !dense(condition)) return {};
  const ir::DType type = condition.rest.dtype();
  return (-condition.rest - 1) * ir::make_int(type, factor) + ir::make_int(type, *below);
}

}  // namespace

Producer producer_in(const PrimFunc& function, const Path& path, const Block& block, const Buffer& buffer) {
  Producer result{&block, {}, {}};
  const std::vector<Stmt> loops = loops_of(path_to_block(function, block.name));
  for (size_t i = loops_of(path).size() + 1; i < loops.size(); ++i) result.loops.push_back(loops[i].as<For>());
  ir::VarMap bindings;
  for (size_t i = 0; i < block.axes.size(); ++i) bindings[block.axes[i].var.get()] = block.bindings[i];
  const std::vector<ir::BufferRegion> writes = ir::block_regions(block).writes;
  const auto made = std::find_if(writes.begin(), writes.end(), [&](const auto& w) { return w.buffer == buffer; });
  VANTAGE_CHECK(made != writes.end());
  for (const ir::Range& range : made->box) result.instance.push_back(ir::substitute(range, bindings));
  return result;
}

std::optional<std::vector<ir::Range>> box_made(const Producer& producer, ir::Analyzer& analyzer) {
  std::vector<const For*> loops;  // that say which element is made
  std::copy_if(producer.loops.begin(), producer.loops.end(), std::back_inserter(loops),
               [&](const For* loop) { return selects(*producer.block, loop->var); });
  std::vector<Number> indices;
  std::vector<ir::Range> box;
  std::vector<Digit> used;
  for (const ir::Range& instance : producer.instance) {
    const int64_t* width = ir::as_int(instance.extent);
    auto index = number(instance.min, loops, analyzer);
    if (!index || width == nullptr) return std::nullopt;
    index->width = *width;
    if (!dense(*index)) return std::nullopt;
    Expr extent = instance.extent;
    for (const Digit& digit : index->digits) {
      if (!std::all_of(used.begin(), used.end(), [&](const Digit& d) { return independent(d, digit); })) {
        return std::nullopt;
      }
      used.push_back(digit);
      extent = extent + (cast(extent.dtype(), digit.extent) - 1) * ir::make_int(extent.dtype(), digit.factor);
    }
    indices.push_back(*index);
    box.push_back({index->rest, analyzer.simplify(extent)});
  }
  // Of conditions that cut off the upper digits of an index, one may be on a part of them: where digits overlap, two
  // would leave gaps.
  std::vector<bool> cut(indices.size(), false);
  for (const Expr& condition : ir::conjuncts(producer.block->predicate)) {
    if (!uses_any(condition, loops)) continue;
    const auto* less = condition.as<ir::Binary>();
    if (less == nullptr || less->op != ir::BinaryOp::kLt || uses_any(less->b, loops)) return std::nullopt;
    const auto sum = number(less->a - less->b, loops, analyzer);
    if (!sum || uses_any(sum->rest, producer.loops)) return std::nullopt;
    bool found = false;
    for (size_t d = 0; d < indices.size() && !found; ++d) {
      const Expr end = end_by(*sum, indices[d]);
      const bool part = sum->digits.size() < indices[d].digits.size();
      if (!end.defined() || (part && cut[d])) continue;
      found = true;
      cut[d] = cut[d] || part;
      const Expr fits = cast(box[d].extent.dtype(), end);
      if (!analyzer.prove(fits >= box[d].extent)) box[d].extent = analyzer.simplify(min(box[d].extent, fits));
    }
    if (!found) return std::nullopt;
  }
  return box;
}

}  // namespace vantage::schedule
