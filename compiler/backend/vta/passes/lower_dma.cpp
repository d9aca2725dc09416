#include "compiler/backend/vta/passes/lower_dma.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "compiler/backend/vta/calls.h"
#include "compiler/backend/vta/passes/element_nest.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::vta {

using namespace ir;

namespace {

// One loop of a copy: how far it moves on both sides, and how many of its iterations at either end are zeros.
struct Dimension {
  For loop;
  int64_t scratchpad = 0, dram = 0;
  Expr before = 0, after = 0;

  bool padded() const { return !is_int(before, 0) || !is_int(after, 0); }
  Expr count() const { return loop.extent - before - after; }
};

class CopyNest {
 public:
  CopyNest(const Stmt& stmt, const isa::Config& config, Analyzer& analyzer) : config_(config), analyzer_(analyzer) {
    LoopNest nest = peel(stmt);
    const auto* store = nest.body.as<Store>();
    if (store == nullptr) fail("dma_copy: the loop {} does not only copy", nest.loops.front().var.name());
    dst_ = store->buffer;
    made_ = dst_->name;
    for (const For& loop : nest.loops) {
      const auto note = loop.annotations.find(std::string(kMakesNote));
      if (note != loop.annotations.end()) made_ = note->second.as<StringImm>()->value;
    }
    Expr value = store->value;
    if (const auto* c = value.as<Cast>()) value = c->value;
    Expr condition = true;
    if (const auto* select = value.as<Select>()) {
      condition = select->condition;
      value = select->if_true;
      if (const auto* c = value.as<Cast>()) value = c->value;
      if (!is_int(select->if_false, 0)) refuse("pads with something else than 0");
    }
    const auto* source = value.as<Load>();
    if (source == nullptr) refuse(fmt::format("takes '{}', which is no element of a tensor", to_text(store->value)));
    src_ = source->buffer;
    is_load_ = scratchpad_of(dst_->scope).has_value();
    if (is_load_ == scratchpad_of(src_->scope).has_value()) {
      refuse("must go from memory to a scratchpad or back");
    }
    if (!is_load_ && !is_int(condition, 1)) refuse("stores zeros where a condition does not hold; only loads pad");
    check_memories();
    split(nest, *store, *source, condition);
  }

  Stmt to_stmt() {
    merge();
    // Rows whose length is not known lie side by side in the scratchpad only where they are as long as there is room:
    // of pieces, in all but the last.
    if (const auto room = room_of_rows()) {
      CopyNest full = *this;
      full.dimensions_.back().loop.extent = *room;
      for (Dimension& d : full.dimensions_) d.loop.var = Var(d.loop.var.name(), d.loop.var.dtype());
      const Expr fits = simplify(dimensions_.back().loop.extent == Expr(*room));
      if (!is_int(fits, 0)) return make_stmt(If(fits, full.transfers(), transfers()));
    }
    return transfers();
  }

 private:
  Stmt transfers() {
    TransferCall call;
    call.is_load = is_load_;
    call.dst = dst_;
    call.src = src_;
    call.dst_element = dst_base_;
    call.src_element = src_base_;
    // The innermost dimension is the row; the next one, where rows follow each other in the scratchpad, their number.
    Dimension row, rows;
    row.loop.extent = 1;
    rows.loop.extent = 1;
    Expr& dram_base = is_load_ ? call.src_element : call.dst_element;
    if (!dimensions_.empty() && dimensions_.back().scratchpad == 1 && dimensions_.back().dram == 1) {
      row = dimensions_.back();
      dimensions_.pop_back();
    }
    const int64_t* width = as_int(row.loop.extent);
    const bool more = !dimensions_.empty() && width != nullptr && dimensions_.back().scratchpad == *width &&
                      dimensions_.back().dram >= 0;
    if (more) {
      rows = dimensions_.back();
      dimensions_.pop_back();
    }
    limit(row);
    limit(rows);
    call.rows = simplify(rows.count());
    call.columns = simplify(row.count());
    call.stride = more ? Expr(rows.dram) : call.columns;
    dram_base = simplify(dram_base + row.before * Expr(row.dram) + rows.before * Expr(rows.dram));
    call.top = simplify(rows.before);
    call.bottom = simplify(rows.after);
    call.left = simplify(row.before);
    call.right = simplify(row.after);
    std::vector<For> around;
    for (Dimension& d : dimensions_) {
      if (d.padded()) refuse(fmt::format("has zeros around the loop {}, the third from inside", d.loop.var.name()));
      const auto move = [&](Expr& element, int64_t step) { element = element + d.loop.var * Expr(step); };
      move(call.dst_element, is_load_ ? d.scratchpad : d.dram);
      move(call.src_element, is_load_ ? d.dram : d.scratchpad);
      d.loop.annotations.clear();
      around.push_back(d.loop);
    }
    // Where the condition does not hold at all, there are only zeros.
    if (!is_int(guard_, 1)) {
      call.top = simplify(if_then_else(guard_, call.top, call.top + call.rows));
      call.rows = simplify(if_then_else(guard_, call.rows, make_zero(call.rows.dtype())));
    }
    return wrap(around, call.to_stmt());
  }

  // How long rows may be, where their length is not known.
  std::optional<int64_t> room_of_rows() const {
    if (dimensions_.size() < 2) return std::nullopt;
    const Dimension &rows = dimensions_[dimensions_.size() - 2], &row = dimensions_.back();
    if (as_int(row.loop.extent) != nullptr || row.padded() || row.scratchpad != 1 || row.dram != 1 || rows.dram < 0) {
      return std::nullopt;
    }
    return rows.scratchpad;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    fail("dma_copy: the copy to {}{}{} {}", made_, src_ ? " from " : "", src_ ? src_->name : "", why);
  }

  Expr simplify(const Expr& expr) { return analyzer_.simplify(expr); }

  // No more zeros than iterations.
  void limit(Dimension& d) {
    const auto at_most = [&](const Expr& zeros, const Expr& room) {
      return is_int(zeros, 0) || analyzer_.prove(zeros <= room) ? zeros : simplify(min(zeros, room));
    };
    d.before = at_most(d.before, d.loop.extent);
    d.after = at_most(d.after, simplify(d.loop.extent - d.before));
  }

  void check_memories() const {
    const Buffer& inside = is_load_ ? dst_ : src_;
    const Buffer& outside = is_load_ ? src_ : dst_;
    const isa::Memory memory = *scratchpad_of(inside->scope);
    if (!is_load_ && memory != isa::Memory::kAcc) {
      refuse(fmt::format("begins in {}; results leave from vta.acc", inside->scope));
    }
    const int64_t lanes = element_shape(memory, config_).lanes();
    if (!is_int(outside->shape[1], lanes)) {
      refuse(fmt::format("has elements of {} lanes in memory and of {} in {}", to_text(outside->shape[1]), lanes,
                         inside->scope));
    }
  }

  void split(LoopNest& nest, const Store& store, const Load& source, const Expr& condition) {
    std::vector<For> loops = nest.loops;
    const int64_t lanes = *as_int(dst_->shape[1]);
    if (!structural_equal(store.indices[1], source.indices[1]) || !take_lane_loops(store.indices[1], lanes, loops)) {
      refuse("does not move whole elements");
    }
    const auto to = affine_index(store.indices[0], loops), from = affine_index(source.indices[0], loops);
    if (!to || !from) refuse("steps by another rule than so many elements an iteration");
    dst_base_ = to->base;
    src_base_ = from->base;
    for (size_t i = 0; i < loops.size(); ++i) {
      Dimension d;
      d.loop = loops[i];
      d.scratchpad = is_load_ ? to->steps[i] : from->steps[i];
      d.dram = is_load_ ? from->steps[i] : to->steps[i];
      dimensions_.push_back(d);
    }
    pad(condition);
    // The fastest in the scratchpad last.
    std::stable_sort(dimensions_.begin(), dimensions_.end(),
                     [](const Dimension& a, const Dimension& b) { return a.scratchpad > b.scratchpad; });
  }

  // Takes a condition on elements apart into zeros before and after, one loop at a time.
  void pad(const Expr& condition) {
    const auto* op = condition.as<Binary>();
    if (op != nullptr && op->op == BinaryOp::kAnd) {
      pad(op->a);
      pad(op->b);
      return;
    }
    const auto concerned = [&](const Dimension& d) { return uses_var(condition, d.loop.var); };
    const auto count = std::count_if(dimensions_.begin(), dimensions_.end(), concerned);
    if (count == 0) {
      guard_ = guard_ && condition;
      return;
    }
    Dimension& d = *std::find_if(dimensions_.begin(), dimensions_.end(), concerned);
    if (count > 1 || op == nullptr || !is_comparison(op->op) || op->op == BinaryOp::kEq || op->op == BinaryOp::kNe) {
      refuse(fmt::format("takes zeros unless '{}', which is no limit of one loop", to_text(condition)));
    }
    const bool less = op->op == BinaryOp::kLt || op->op == BinaryOp::kLe;
    // room >= 0 is the condition.
    Linear room = Linear::of(less ? op->b : op->a);
    room.add(Linear::of(less ? op->a : op->b), -1);
    if (op->op == BinaryOp::kLt || op->op == BinaryOp::kGt) room.constant -= 1;
    const int64_t factor = room.factor_of(d.loop.var);
    room.add(d.loop.var, -factor);
    const Expr rest = room.to_expr(kIndex);
    const Expr step = make_int(kIndex, factor < 0 ? -factor : factor);
    if (factor > 0) {
      d.before = simplify(max(d.before, ceil_div(-rest, step)));  // var >= -rest / factor
    } else {
      d.after = simplify(max(d.after, d.loop.extent - 1 - floor_div(rest, step)));  // var <= rest / -factor
    }
  }

  // Neighbouring loops that are one longer loop on both sides.
  void merge() {
    for (size_t i = dimensions_.size(); i-- > 1;) {
      Dimension &outer = dimensions_[i - 1], &inner = dimensions_[i];
      const int64_t* extent = as_int(inner.loop.extent);
      const bool one = extent != nullptr && !inner.padded() && !outer.padded() &&
                       outer.scratchpad == inner.scratchpad * *extent && outer.dram == inner.dram * *extent;
      if (!one) continue;
      inner.loop.extent = simplify(outer.loop.extent * inner.loop.extent);
      dimensions_.erase(dimensions_.begin() + static_cast<ptrdiff_t>(i) - 1);
    }
  }

  const isa::Config& config_;
  Analyzer& analyzer_;
  Buffer dst_, src_;
  std::string made_;  // the user's name of what is copied to
  bool is_load_ = true;
  Expr dst_base_, src_base_;
  Expr guard_ = true;  // on all of the copy; without, zeros
  std::vector<Dimension> dimensions_;
};

class LowerDma final : public Mutator {
 public:
  explicit LowerDma(const isa::Config& config) : config_(config) {}
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (node.annotations.count("pragma_dma_copy") > 0) return CopyNest(self, config_, analyzer_).to_stmt();
    analyzer_.bind(node.var, {node.min, node.extent});
    return Mutator::visit_for(node, self);
  }

 private:
  const isa::Config& config_;
  Analyzer analyzer_;
};

}  // namespace

PrimFunc lower_dma(PrimFunc function, const isa::Config& config) {
  function.body = LowerDma(config).visit(function.body);
  return function;
}

}  // namespace vantage::vta
