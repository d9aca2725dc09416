#include "compiler/backend/vta/passes/lower_alu.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/vta/calls.h"
#include "compiler/backend/vta/passes/element_nest.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/visitor.h"
#include "hw/isa/layout.h"

namespace vantage::vta {

using namespace ir;

namespace {

// One nest of loops around a store to accumulators.
class AluNest {
 public:
  AluNest(const std::vector<For>& loops, const Store& store, const isa::Layout& layout)
      : loops_(loops), store_(store), layout_(layout), made_(store.buffer->name) {
    for (const For& loop : loops) {
      const auto note = loop.annotations.find(std::string(kMakesNote));
      if (note != loop.annotations.end()) made_ = note->second.as<StringImm>()->value;
    }
    const int64_t lanes = *as_int(store.buffer->shape[1]);
    if (!take_lane_loops(store.indices[1], lanes, loops_)) {
      refuse("does not cover whole elements of the accumulator");
    }
    dst_ = place(store.buffer, store.indices[0]);
  }

  Stmt to_stmt() {
    evaluate_into_dst(store_.value);
    if (calls_.size() > 1) check_distinct();
    return seq(std::move(calls_));
  }

 private:
  struct Place {
    Buffer buffer;
    AffineIndex index;
  };

  [[noreturn]] void refuse(const std::string& why) const { fail("the VTA cannot compute {}: it {}", made_, why); }

  Place place(const Buffer& buffer, const Expr& element) const {
    const auto index = affine_index(element, loops_);
    if (!index || std::any_of(index->steps.begin(), index->steps.end(), [](int64_t s) { return s < 0; })) {
      refuse(fmt::format("uses {} at '{}', which does not step upwards by so many elements an iteration", buffer->name,
                         to_text(element)));
    }
    return {buffer, *index};
  }

  // The place of a load; refuses what is no accumulator.
  Place operand(const Load& load) const {
    if (scratchpad_of(load.buffer->scope) != isa::Memory::kAcc) {
      refuse(fmt::format("takes {} from '{}'; the ALU works on vta.acc (cache_read it there)", load.buffer->name,
                         load.buffer->scope));
    }
    if (!structural_equal(load.indices[1], store_.indices[1])) {
      refuse(fmt::format("mixes lanes of {}: '{}'", load.buffer->name, to_text(load.indices[1])));
    }
    return place(load.buffer, load.indices[0]);
  }

  bool is_dst(const Expr& expr) const {
    const auto* load = expr.as<Load>();
    return load != nullptr && load->buffer == store_.buffer && structural_equal(load->indices[0], store_.indices[0]);
  }

  static bool contains(const Expr& expr, const std::function<bool(const Expr&)>& wanted) {
    struct Search final : Visitor {
      using Visitor::visit;
      const std::function<bool(const Expr&)>* wanted = nullptr;
      bool found = false;
      void visit(const Expr& e) override {
        found = found || (*wanted)(e);
        if (!found) Visitor::visit(e);
      }
    } search;
    search.wanted = &wanted;
    search.visit(expr);
    return search.found;
  }

  // Makes dst hold `expr`, given that it holds its old value now.
  void evaluate_into_dst(const Expr& expr) {
    if (is_dst(expr)) return;
    if (const int64_t* value = as_int(expr)) {
      emit_reset();
      if (*value != 0) emit(isa::AluOp::kAdd, *value);
      return;
    }
    if (const auto* load = expr.as<Load>()) {
      emit_reset();
      emit(isa::AluOp::kAdd, operand(*load));
      return;
    }
    const auto* op = expr.as<Binary>();
    if (op == nullptr) refuse(fmt::format("needs '{}', which is no operation of the ALU", to_text(expr)));
    const auto needs_dst = [&](const Expr& e) { return contains(e, [&](const Expr& inner) { return is_dst(inner); }); };
    Expr first = op->a, second = op->b;
    const bool commutes =
        op->op == BinaryOp::kAdd || op->op == BinaryOp::kMul || op->op == BinaryOp::kMin || op->op == BinaryOp::kMax;
    // The side that needs the old value, or is itself computed, is computed in place.
    const bool simple_first = first.kind() == ExprKind::kLoad || first.kind() == ExprKind::kIntImm;
    if (commutes && ((needs_dst(second) && !needs_dst(first)) || (simple_first && !needs_dst(first)))) {
      std::swap(first, second);
    }
    if (const int64_t* from = as_int(first); from != nullptr && op->op == BinaryOp::kSub) {
      evaluate_into_dst(second);
      emit(isa::AluOp::kMul, -1);
      if (*from != 0) emit(isa::AluOp::kAdd, *from);
      return;
    }
    const bool untouched = is_dst(first);
    if (needs_dst(second) && !(untouched && is_dst(second))) {
      refuse(fmt::format("needs '{}' after it was overwritten; make it a stage of its own", to_text(second)));
    }
    evaluate_into_dst(first);
    apply(op->op, second);
  }

  void apply(BinaryOp op, const Expr& value) {
    const int64_t* immediate = as_int(value);
    const auto* load = value.as<Load>();
    if (immediate == nullptr && load == nullptr) {
      refuse(fmt::format("needs '{}' beside another value; make it a stage of its own", to_text(value)));
    }
    const auto both = [&](isa::AluOp alu) { immediate != nullptr ? emit(alu, *immediate) : emit(alu, operand(*load)); };
    switch (op) {
      case BinaryOp::kAdd: return both(isa::AluOp::kAdd);
      case BinaryOp::kMul: return both(isa::AluOp::kMul);
      case BinaryOp::kMin: return both(isa::AluOp::kMin);
      case BinaryOp::kMax: return both(isa::AluOp::kMax);
      case BinaryOp::kShr: return both(isa::AluOp::kShr);
      case BinaryOp::kSub:
        if (immediate != nullptr) return emit(isa::AluOp::kAdd, -*immediate);
        refuse(fmt::format("subtracts {}; the ALU adds only: multiply it by -1 in a stage of its own",
                           load->buffer->name));
      case BinaryOp::kShl:
        if (immediate != nullptr) return emit(isa::AluOp::kShr, -*immediate);
        refuse(fmt::format("shifts left by {}; the ALU shifts left by constants only", load->buffer->name));
      default: refuse(fmt::format("needs the operation '{}', which the ALU does not have", symbol(op)));
    }
  }

  std::vector<CallAxis> axes(const std::vector<const Place*>& places) const {
    std::vector<CallAxis> result;
    for (size_t i = 0; i < loops_.size(); ++i) {
      CallAxis axis{loops_[i].extent, {}};
      for (const Place* p : places) axis.steps.push_back(p->index.steps[i]);
      result.push_back(std::move(axis));
    }
    return result;
  }

  void emit_reset() {
    ComputeCall call;
    call.function = kResetCall;
    call.operands = {{dst_.buffer, dst_.index.base, Touch::kWrite}};
    call.axes = axes({&dst_});
    calls_.push_back(call.to_stmt());
  }

  void emit(isa::AluOp op, int64_t immediate) {
    const isa::Field& field = layout_.field(isa::Format::kAlu, isa::FieldId::kImm);
    if (immediate < field.lowest() || immediate > field.highest()) {
      refuse(fmt::format("needs the constant {}; an instruction holds {} to {}", immediate, field.lowest(),
                         field.highest()));
    }
    ComputeCall call;
    call.function = kAluCall;
    call.op = op;
    call.immediate = immediate;
    call.operands = {{dst_.buffer, dst_.index.base, Touch::kReadWrite}};
    call.axes = axes({&dst_});
    calls_.push_back(call.to_stmt());
  }

  void emit(isa::AluOp op, const Place& src) {
    ComputeCall call;
    call.function = kAluCall;
    call.op = op;
    call.operands = {{dst_.buffer, dst_.index.base, Touch::kReadWrite}, {src.buffer, src.index.base, Touch::kRead}};
    call.axes = axes({&dst_, &src});
    calls_.push_back(call.to_stmt());
  }

  // Several instructions one after another are the same as all of them element by element only where every iteration
  // has an element of its own and reads no other of the same buffer.
  void check_distinct() const {
    for (size_t i = 0; i < loops_.size(); ++i) {
      if (dst_.index.steps[i] == 0 && !is_int(loops_[i].extent, 1)) {
        refuse(fmt::format("folds over the loop {} by more than one operation; make them stages of their own",
                           loops_[i].var.name()));
      }
    }
    const bool reads_others = contains(store_.value, [&](const Expr& e) {
      const auto* load = e.as<Load>();
      return load != nullptr && load->buffer == store_.buffer && !is_dst(e);
    });
    if (reads_others) refuse(fmt::format("reads other elements of {} meanwhile", store_.buffer->name));
  }

  std::vector<For> loops_;
  const Store& store_;
  const isa::Layout& layout_;
  std::string made_;  // the user's name of what is stored
  Place dst_;
  std::vector<Stmt> calls_;
};

class LowerAlu final : public Mutator {
 public:
  explicit LowerAlu(const isa::Config& config) : config_(config), layout_(config) {}
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    const LoopNest nest = peel(self);
    const auto* made = nest.body.as<Store>();
    if (made == nullptr) return Mutator::visit_for(node, self);
    // Loops that stand for something else than iterations stay outside.
    const auto first = std::find_if(nest.loops.rbegin(), nest.loops.rend(),
                                    [](const For& l) { return l.loop == ForKind::kVirtualThread; });
    const std::vector<For> inside(first.base(), nest.loops.end());
    const std::vector<For> outside(nest.loops.begin(), first.base());
    return wrap(outside, lower(inside, *made));
  }
  Stmt visit_store(const Store& node, const Stmt&) override { return lower({}, node); }

 private:
  Stmt lower(const std::vector<For>& loops, const Store& made) const {
    if (scratchpad_of(made.buffer->scope) != isa::Memory::kAcc) {
      fail(
          "the VTA cannot compute {} in '{}'; compute it in vta.acc (set_scope, cache_write) and copy it with dma_copy",
          made.buffer->name, made.buffer->scope);
    }
    if (made.buffer->dtype.bits() != config_.acc_bits()) {
      fail("{} holds {}; accumulators have {} bits", made.buffer->name, name(made.buffer->dtype), config_.acc_bits());
    }
    return AluNest(loops, made, layout_).to_stmt();
  }

  const isa::Config& config_;
  isa::Layout layout_;
};

}  // namespace

PrimFunc lower_alu(PrimFunc function, const isa::Config& config) {
  function.body = LowerAlu(config).visit(function.body);
  return function;
}

}  // namespace vantage::vta
