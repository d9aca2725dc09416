#include "compiler/backend/vta/passes/mark_turns.h"

#include <algorithm>

#include "compiler/backend/vta/calls.h"
#include "compiler/ir/visitor.h"

namespace vantage::vta {

using namespace ir;

namespace {

bool has_call(const Stmt& stmt, std::string_view function) {
  struct Search final : Visitor {
    using Visitor::visit;
    std::string_view function;
    bool found = false;
    void visit_call(const Call& node) override { found = found || node.function == function; }
  } search;
  search.function = function;
  search.visit(stmt);
  return search.found;
}

// Whether a statement loads and does nothing else.
bool only_loads(const Stmt& stmt) {
  return has_call(stmt, kLoadCall) && !has_call(stmt, kAluCall) && !has_call(stmt, kStoreCall);
}

// How long an ALU instruction takes in relation to others: one with a tensor as its source reads twice a step.
int weight(const Stmt& stmt) {
  const auto* call = call_of(stmt, kAluCall);
  if (call == nullptr) return has_call(stmt, kAluCall) ? 1 : 0;
  return static_cast<int>(ComputeCall::parse(*call).operands.size());
}

class MarkTurns final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (node.loop != ForKind::kVirtualThread || end_ != End::kNone) return Mutator::visit_for(node, self);
    end_ = has_call(node.body, kGemmCall) ? End::kGemm : has_call(node.body, kLoadCall) ? End::kLoad : End::kStore;
    phases_ = 1;
    For result = node;
    result.body = visit(node.body);
    if (phases_ > 1) {
      // Threads begin one after another, so that one loads while another computes.
      const Expr skipped = floor_div(node.var * make_int(node.var.dtype(), phases_), node.extent);
      result.body = seq({loop(Var("phase", node.var.dtype()), skipped, turn()), result.body});
    }
    end_ = End::kNone;
    return make_stmt(std::move(result));
  }
  Stmt visit_evaluate(const Evaluate&, const Stmt& self) override {
    const bool ends = (end_ == End::kGemm && call_of(self, kGemmCall) != nullptr) ||
                      (end_ == End::kStore && call_of(self, kStoreCall) != nullptr);
    return ends ? seq({self, turn()}) : self;
  }
  Stmt visit_seq(const Seq& node, const Stmt& self) override {
    const auto first = std::find_if_not(node.stmts.begin(), node.stmts.end(), only_loads);
    const auto loads = static_cast<int>(first - node.stmts.begin());
    int work = 0;
    for (const Stmt& stmt : node.stmts) work += weight(stmt);
    if (end_ != End::kLoad || loads == 0 || work == 0) return Mutator::visit_seq(node, self);
    // A turn for each load, and as many that share out the ALU instructions.
    phases_ = 2 * loads;
    std::vector<Stmt> stmts;
    int done = 0, part = 1;
    for (const Stmt& stmt : node.stmts) {
      stmts.push_back(visit(stmt));
      done += weight(stmt);
      const bool is_part = weight(stmt) > 0 && part < loads && done * loads >= work * part;
      if (is_part) ++part;
      if (only_loads(stmt) || is_part) stmts.push_back(turn());
    }
    stmts.push_back(turn());
    return seq(std::move(stmts));
  }

 private:
  // What ends a turn.
  enum class End : uint8_t { kNone, kGemm, kLoad, kStore };

  static Stmt turn() {
    return evaluate(Expr(std::make_shared<Call>(kVoid, std::string(kTurnCall), std::vector<Expr>())));
  }

  End end_ = End::kNone;
  int phases_ = 1;  // turns of an iteration, as far as threads are apart by them: two per load
};

}  // namespace

PrimFunc mark_turns(PrimFunc function) {
  function.body = MarkTurns().visit(function.body);
  return function;
}

}  // namespace vantage::vta
