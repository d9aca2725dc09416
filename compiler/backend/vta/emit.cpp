#include <unordered_map>

#include "base/error.h"
#include "compiler/backend/vta/calls.h"
#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/passes/place_scratchpads.h"
#include "compiler/backend/vta/program_builder.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/visitor.h"

namespace vantage::vta {

using namespace ir;
using isa::Memory;

namespace {

// The values of integer expressions while loops run.
class Environment {
 public:
  void set(const Var& var, int64_t value) { values_[var.get()] = value; }

  int64_t value(const Expr& expr) const {
    switch (expr.kind()) {
      case ExprKind::kIntImm: return expr.as<IntImm>()->value;
      case ExprKind::kVar: return values_.at(expr.as<VarNode>());
      case ExprKind::kNot: return value(expr.as<Not>()->value) == 0 ? 1 : 0;
      case ExprKind::kSelect: {
        const auto* s = expr.as<Select>();
        return value(value(s->condition) != 0 ? s->if_true : s->if_false);
      }
      case ExprKind::kCall:  // a hint
        return value(expr.as<Call>()->arguments.at(0));
      case ExprKind::kCast: return value(expr.as<Cast>()->value);
      case ExprKind::kBinary: {
        const auto* op = expr.as<Binary>();
        int64_t result = 0;
        if (evaluate_int(op->op, op->a.dtype(), value(op->a), value(op->b), &result)) return result;
        fail("'{}' divides by zero", to_text(expr));
      }
      default: fail("the VTA cannot decide '{}' while a program is made", to_text(expr));
    }
  }

 private:
  std::unordered_map<const VarNode*, int64_t> values_;
};

// What each parameter holds: how its transfers use it.
class Parameters final : public Visitor {
 public:
  using Visitor::visit;
  struct Use {
    bool loaded = false, stored = false;
    Memory memory = Memory::kInp;
  };
  std::unordered_map<const BufferNode*, Use> uses;

 protected:
  void visit_call(const Call& node) override {
    const bool is_load = node.function == kLoadCall;
    if (!is_load && node.function != kStoreCall) return;
    const TransferCall transfer = TransferCall::parse(node);
    const Buffer& inside = is_load ? transfer.dst : transfer.src;
    const Buffer& outside = is_load ? transfer.src : transfer.dst;
    Memory memory = is_load ? *scratchpad_of(inside->scope) : Memory::kOut;
    if (memory == Memory::kAcc && outside->dtype == kInt8) memory = Memory::kAcc8;
    Use& use = uses[outside.get()];
    if (!use.loaded && !use.stored) use.memory = memory;
    if (use.memory != memory) {
      fail("{} is used as {} and as {}; copy it", outside->name, isa::name(use.memory), isa::name(memory));
    }
    (is_load ? use.loaded : use.stored) = true;
  }
};

class Emitter {
 public:
  Emitter(const PrimFunc& function, const isa::Config& config) : builder_(config) {
    Parameters parameters;
    parameters.visit(function.body);
    for (const Buffer& buffer : function.buffers()) {
      const auto found = parameters.uses.find(buffer.get());
      if (found == parameters.uses.end()) fail("nothing moves {} to or from the VTA", buffer->name);
      const auto& use = found->second;
      const DType expected = element_type(use.memory, config);
      if (buffer->dtype != expected) {
        fail("{} holds {}; {} in memory is {} in configuration {}", buffer->name, name(buffer->dtype),
             isa::name(use.memory), name(expected), config.name());
      }
      tensors_[buffer.get()] =
          builder_.tensor(buffer->name, use.memory, static_cast<uint64_t>(*as_int(buffer->shape[0])),
                          use.stored ? TensorRole::kOutput : TensorRole::kInput);
    }
  }

  OperationList run(const Stmt& body) {
    walk(body);
    return builder_.operations();
  }

 private:
  void walk(const Stmt& stmt) {
    switch (stmt.kind()) {
      case StmtKind::kSeq:
        for (const Stmt& s : stmt.as<Seq>()->stmts) walk(s);
        return;
      case StmtKind::kFor: return walk_loop(*stmt.as<For>());
      case StmtKind::kIf: {
        const auto* node = stmt.as<If>();
        if (environment_.value(node->condition) != 0) return walk(node->then);
        if (node->otherwise) walk(node->otherwise);
        return;
      }
      case StmtKind::kAllocate: {
        const auto* node = stmt.as<Allocate>();
        const auto note = [&](std::string_view key) {
          const auto found = node->annotations.find(std::string(key));
          return found == node->annotations.end() ? int64_t{0} : *as_int(found->second);
        };
        bases_[node->buffer.get()] = note(kBaseNote) + thread_ * note(kThreadStepNote);
        return walk(node->body);
      }
      case StmtKind::kEvaluate: return emit(*call_of(stmt));
      case StmtKind::kStore:
      case StmtKind::kBlock:
      case StmtKind::kLet: {
        const std::string text = to_text(stmt);
        fail("the VTA has no instruction for '{}'", text.substr(0, text.find('\n')));
      }
    }
  }

  void walk_loop(const For& loop) {
    const int64_t first = environment_.value(loop.min), count = environment_.value(loop.extent);
    const auto iterate = [&](int64_t i) {
      environment_.set(loop.var, first + i);
      walk(loop.body);
    };
    if (loop.loop == ForKind::kVirtualThread) {
      const bool apart = loop.annotations.count(std::string(kStaggeredNote)) > 0;
      const auto body = [&](int thread) {
        thread_ = thread;
        iterate(thread);
      };
      using Order = ProgramBuilder::ThreadOrder;
      builder_.virtual_threads(static_cast<int>(count), body, apart ? Order::kStaggered : Order::kTurns);
      thread_ = 0;
      return;
    }
    for (int64_t i = 0; i < count; ++i) iterate(i);
  }

  uint32_t in_scratchpad(const Buffer& buffer, const Expr& element) const {
    return static_cast<uint32_t>(bases_.at(buffer.get()) + environment_.value(element));
  }

  void emit(const Call& call) {
    if (call.function == kLoadCall || call.function == kStoreCall) return emit_transfer(TransferCall::parse(call));
    if (call.function == kTurnCall) return builder_.yield();
    if (call.function != kGemmCall && call.function != kResetCall && call.function != kAluCall) {
      fail("the VTA has no instruction '{}'", call.function);
    }
    emit_compute(ComputeCall::parse(call));
  }

  void emit_transfer(const TransferCall& call) {
    const auto value = [&](const Expr& e) { return environment_.value(e); };
    const int64_t rows = value(call.rows), columns = value(call.columns);
    const Buffer& inside = call.is_load ? call.dst : call.src;
    const Buffer& outside = call.is_load ? call.src : call.dst;
    const int64_t pads[] = {value(call.top), value(call.bottom), value(call.left), value(call.right)};
    const int64_t all_rows = rows + pads[0] + pads[1], all_columns = columns + pads[2] + pads[3];
    if (all_rows <= 0 || all_columns <= 0) return;
    if (rows <= 0 || columns <= 0) {
      fail(
          "a piece of {} lies all in the zeros around {}, and a load needs at least one element; compute larger pieces",
          inside->name, outside->name);
    }
    const auto most = static_cast<int64_t>(builder_.max_padding());
    for (int64_t p : pads) {
      if (p > most) {
        fail("a load of {} has {} zeros at one side; an instruction holds at most {}", outside->name, p, most);
      }
    }
    const Tile tile{static_cast<uint64_t>(value(call.is_load ? call.src_element : call.dst_element)),
                    static_cast<uint64_t>(rows), static_cast<uint64_t>(columns),
                    static_cast<uint64_t>(value(call.stride))};
    const uint32_t sram = in_scratchpad(inside, call.is_load ? call.dst_element : call.src_element);
    const TensorId tensor = tensors_.at(outside.get());
    if (!call.is_load) return builder_.store(tensor, tile, sram);
    const auto u32 = [](int64_t v) { return static_cast<uint32_t>(v); };
    builder_.load(sram, tensor, tile, {u32(pads[0]), u32(pads[1]), u32(pads[2]), u32(pads[3])});
  }

  void emit_compute(const ComputeCall& call) {
    KernelNest nest;
    uint32_t* const bases[] = {&nest.dst, &nest.src, &nest.wgt};
    for (size_t o = 0; o < call.operands.size(); ++o) {
      *bases[o] = in_scratchpad(call.operands[o].buffer, call.operands[o].element);
    }
    for (const CallAxis& axis : call.axes) {
      const int64_t extent = environment_.value(axis.extent);
      if (extent <= 0) return;
      const auto step = [&](size_t o) { return o < axis.steps.size() ? static_cast<uint32_t>(axis.steps[o]) : 0; };
      nest.axes.push_back({static_cast<uint32_t>(extent), step(0), step(1), step(2)});
    }
    if (call.function == kGemmCall) return builder_.gemm(nest);
    if (call.function == kResetCall) return builder_.reset(nest);
    if (call.immediate) return builder_.alu(call.op, nest, static_cast<int32_t>(*call.immediate));
    builder_.alu(call.op, nest);
  }

  ProgramBuilder builder_;
  std::unordered_map<const BufferNode*, TensorId> tensors_;
  std::unordered_map<const BufferNode*, int64_t> bases_;
  Environment environment_;
  int64_t thread_ = 0;
};

}  // namespace

OperationList emit(const PrimFunc& lowered, const isa::Config& config) {
  OperationList list = Emitter(lowered, config).run(lowered.body);
  list.in_slices = lowered.annotations.count(std::string(kInSlicesNote)) > 0;
  list.shares_micro_ops = lowered.annotations.count(std::string(kSharesMicroOpsNote)) > 0;
  list.skips_zeros = lowered.annotations.count(std::string(kSkipsZerosNote)) > 0;
  list.fills_waits = lowered.annotations.count(std::string(kFillsWaitsNote)) > 0;
  return list;
}

}  // namespace vantage::vta
