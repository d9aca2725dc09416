#include "compiler/ops/cuda/product_form.h"

#include <algorithm>

#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/ir/zero_else.h"
#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using namespace ir;
using schedule::Schedule;

namespace {

const Load* without_casts(const Expr& expr) {
  if (const auto* cast = expr.as<Cast>()) return without_casts(cast->value);
  return expr.as<Load>();
}

// The factors of 'C[...] = C[...] + X[...] * Y[...]', of which some may be left out by a condition.
std::optional<std::array<const Load*, 2>> factors_of(const Block& block) {
  const Store* store = schedule::single_store(block);
  if (store == nullptr || !schedule::is_reduction(block)) return std::nullopt;
  const auto* sum = store->value.as<Binary>();
  if (sum == nullptr || sum->op != BinaryOp::kAdd) return std::nullopt;
  const auto* before = sum->a.as<Load>();
  const Select* choice = zero_else(sum->b);
  const auto* product = (choice == nullptr ? sum->b : choice->if_true).as<Binary>();
  if (before == nullptr || before->buffer != store->buffer || product == nullptr || product->op != BinaryOp::kMul) {
    return std::nullopt;
  }
  const std::array<const Load*, 2> loads = {without_casts(product->a), without_casts(product->b)};
  if (loads[0] == nullptr || loads[1] == nullptr || loads[0]->buffer == loads[1]->buffer) return std::nullopt;
  return loads;
}

// How an operand is read with an axis. One that says which group it is, by a division, stays the same for many.
enum class Use : uint8_t { kNone, kDivided, kPlain };
Use use_of(const std::vector<Expr>& indices, const Var& axis) {
  struct Search final : Visitor {
    using Visitor::visit;
    const VarNode* wanted = nullptr;
    Use found = Use::kNone, here = Use::kPlain;
    void visit_var(const VarNode& node) override {
      if (&node == wanted) found = std::max(found, here);
    }
    void visit_binary(const Binary& node) override {
      const Use outside = here;
      if (node.op == BinaryOp::kFloorDiv) here = Use::kDivided;
      Visitor::visit_binary(node);
      here = outside;
    }
  } search;
  search.wanted = axis.get();
  for (const Expr& index : indices) search.visit(index);
  return search.found;
}

bool is_index(const std::vector<Expr>& indices, const Var& axis) {
  return std::ranges::all_of(indices, [&](const Expr& index) { return index.same_as(axis) || !uses_var(index, axis); });
}

}  // namespace

int64_t ProductForm::Side::extent() const {
  int64_t result = 1;
  for (const Axis& axis : axes) result *= axis.extent;
  return result;
}

const ProductForm::Axis& ProductForm::longest() const {
  return *std::ranges::max_element(reduce, {}, &Axis::extent);
}

std::optional<ProductForm> product_form(Schedule& s, const std::string& name) {
  const Block block = block_named(s, name);
  const auto factors = factors_of(block);
  if (!factors) return std::nullopt;
  ProductForm form;
  form.sums = schedule::single_store(block)->buffer->dtype;
  for (size_t i = 0; i < 2; ++i) {
    form.sides[i].operand = (*factors)[i]->buffer;
    form.sides[i].indices = (*factors)[i]->indices;
  }
  // Each axis has a loop of its own, in order, as a formula's block has.
  const std::vector<BlockLoop> loops = loops_of_block(s, name);
  if (loops.size() != block.axes.size()) return std::nullopt;
  size_t last = 0;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (!Var::of(block.bindings[i]).same_as(loops[i].var) || loops[i].extent == 0) return std::nullopt;
    const Var& var = block.axes[i].var;
    const bool is_own = is_index(form.sides[0].indices, var) && is_index(form.sides[1].indices, var) &&
                        is_index(schedule::single_store(block)->indices, var);
    const ProductForm::Axis axis{i, loops[i].extent, is_own};
    if (loops[i].kind == AxisKind::kOrdered) return std::nullopt;
    if (loops[i].kind == AxisKind::kReduce) {
      form.reduce.push_back(axis);
      continue;
    }
    const Use first = use_of(form.sides[0].indices, var), second = use_of(form.sides[1].indices, var);
    if (first == second) {
      form.batch.push_back(axis);
    } else {
      last = first > second ? 0 : 1;
      form.sides[last].axes.push_back(axis);
    }
  }
  if (last == 0) std::swap(form.sides[0], form.sides[1]);
  return form;
}

}  // namespace vantage::ops
