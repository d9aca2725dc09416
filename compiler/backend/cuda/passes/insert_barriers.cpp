#include "compiler/backend/cuda/passes/insert_barriers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "compiler/backend/cuda/accesses.h"
#include "compiler/backend/cuda/passes/races.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

bool is_barrier(const Stmt& stmt) {
  const auto* evaluate = stmt.as<Evaluate>();
  const auto* call = evaluate == nullptr ? nullptr : evaluate->call.as<Call>();
  return call != nullptr && call->function == kStorageSync;
}

bool has_barrier(const Stmt& stmt) {
  struct Search final : Visitor {
    using Visitor::visit;
    bool found = false;
    void visit_call(const Call& node) override { found = found || node.function == kStorageSync; }
  } search;
  search.visit(stmt);
  return search.found;
}

Stmt barrier() {
  return evaluate(Expr(std::make_shared<Call>(kVoid, std::string(kStorageSync), std::vector{make_string("shared")})));
}

class BarrierPlacer {
 public:
  // The loops of `stmt` that are bound to indices, one in the other.
  explicit BarrierPlacer(const Stmt& stmt) : body_(stmt) {
    while (const auto* loop = body_.as<For>()) {
      if (loop->loop != ForKind::kThread) break;
      loops_.push_back(loop);
      const BoundVar index{loop->var, {loop->min, loop->extent}};
      (is_block_index(loop->thread) ? blocks_ : threads_).push_back(index);
      body_ = loop->body;
    }
  }

  Stmt with_barriers() {
    find_private(body_);
    require_apart();
    Stmt body = threads_.empty() ? body_ : run(body_);
    for (size_t i = loops_.size(); i-- > 0;) {
      For loop = *loops_[i];
      loop.body = body;
      body = make_stmt(std::move(loop));
    }
    return body;
  }

 private:
  void find_private(const Stmt& stmt) {
    struct Search final : Visitor {
      using Visitor::visit;
      std::set<const BufferNode*> found;
      void visit_allocate(const Allocate& node) override {
        if (!is_shared(node.buffer->scope)) found.insert(node.buffer.get());
        Visitor::visit_allocate(node);
      }
    } search;
    search.visit(stmt);
    private_ = std::move(search.found);
  }

  std::vector<Access> common_accesses(const Stmt& stmt) const {
    std::vector<Access> accesses = accesses_of(stmt);
    accesses.erase(std::remove_if(accesses.begin(), accesses.end(),
                                  [&](const Access& a) {
                                    return is_local(a.buffer->scope) || private_.count(a.buffer.get()) > 0;
                                  }),
                   accesses.end());
    for (size_t i = lets_.size(); i-- > 0;) leave(accesses, 0, lets_[i]->var, lets_[i]->value);
    return accesses;
  }

  // The same for all threads of a block.
  std::vector<BoundVar> same_for_all() const {
    std::vector<BoundVar> fixed = blocks_;
    fixed.insert(fixed.end(), fixed_.begin(), fixed_.end());
    return fixed;
  }
  // Of threads of one block.
  bool conflict(const Access& a, const Access& b) const { return may_meet(a, b, threads_, same_for_all()); }

  void require_apart() {
    const std::vector<Access> accesses = common_accesses(body_);
    if (!blocks_.empty()) {
      std::vector<Access> of_blocks = accesses;
      for (Access& access : of_blocks) access.inner.insert(access.inner.end(), threads_.begin(), threads_.end());
      require_blocks_apart(of_blocks, blocks_, name(), budget_);
    }
    require_one_updates(accesses, threads_, same_for_all(), name(), budget_);
  }

  const std::string& name() const { return loops_.front()->var.name(); }

  // What an access of a thread may be one with of another thread, as no barrier has come since.
  bool waits_for(const std::vector<Access>& accesses) const {
    return std::any_of(accesses.begin(), accesses.end(), [&](const Access& next) {
      return std::any_of(pending_.begin(), pending_.end(), [&](const Access& past) { return conflict(past, next); });
    });
  }

  void note(const std::vector<Access>& accesses) { pending_.insert(pending_.end(), accesses.begin(), accesses.end()); }

  // A statement with barriers before it and inside it.
  Stmt run(const Stmt& stmt) {
    if (is_barrier(stmt)) {
      pending_.clear();
      return stmt;
    }
    if (const auto* sequence = stmt.as<Seq>()) {
      std::vector<Stmt> stmts;
      for (const Stmt& s : sequence->stmts) stmts.push_back(run(s));
      return seq(std::move(stmts));
    }
    const std::vector<Access> accesses = common_accesses(stmt);
    if (!waits_for(accesses)) return inside(stmt, accesses);
    std::vector<Access> past = std::exchange(pending_, {});
    Stmt result = inside(stmt, accesses);
    const std::vector<Access> left = std::exchange(pending_, std::move(past));
    // It may begin with a barrier, for the sake of its own iterations.
    const Front front = front_of(result);
    const bool enough = !waits_for(front.accesses);
    if (!enough || !front.passes) pending_.clear();
    note(left);
    if (enough) return result;
    ++inserted_;
    return seq({barrier(), std::move(result)});
  }

  // What may be touched before the first barrier of a statement, and whether it may end without one.
  struct Front {
    std::vector<Access> accesses;
    bool passes = true;
  };
  Front front_of(const Stmt& stmt) const {
    if (is_barrier(stmt)) return {{}, false};
    if (!has_barrier(stmt)) return {common_accesses(stmt), true};
    switch (stmt.kind()) {
      case StmtKind::kSeq: {
        Front result;
        for (const Stmt& s : stmt.as<Seq>()->stmts) {
          const Front next = front_of(s);
          result.accesses.insert(result.accesses.end(), next.accesses.begin(), next.accesses.end());
          result.passes = next.passes;
          if (!next.passes) break;
        }
        return result;
      }
      case StmtKind::kFor: {
        const auto* node = stmt.as<For>();
        Front result = front_of(node->body);
        leave(result.accesses, 0, {node->var, {node->min, node->extent}});
        const int64_t* extent = as_int(node->extent);
        result.passes = result.passes || extent == nullptr || *extent < 1;
        return result;
      }
      case StmtKind::kLet: {
        const auto* node = stmt.as<Let>();
        Front result = front_of(node->body);
        leave(result.accesses, 0, node->var, node->value);
        return result;
      }
      case StmtKind::kAllocate: return front_of(stmt.as<Allocate>()->body);
      default: return {common_accesses(stmt), true};
    }
  }

  Stmt inside(const Stmt& stmt, const std::vector<Access>& accesses) {
    if (!has_barrier(stmt) && !may_race(accesses)) {
      note(accesses);
      return stmt;
    }
    switch (stmt.kind()) {
      case StmtKind::kAllocate: {
        const auto* node = stmt.as<Allocate>();
        return make_stmt(Allocate(node->buffer, run(node->body), node->annotations));
      }
      case StmtKind::kLet: {
        const auto* node = stmt.as<Let>();
        lets_.push_back(node);
        const Stmt body = run(node->body);
        lets_.pop_back();
        return make_stmt(Let(node->var, node->value, body));
      }
      case StmtKind::kFor: {
        const auto* node = stmt.as<For>();
        if (is_uniform(node->min) && is_uniform(node->extent)) return loop(*node);
        break;
      }
      case StmtKind::kIf: {
        const auto* node = stmt.as<If>();
        if (!is_uniform(node->condition)) break;
        const std::vector<Access> before = pending_;
        const Stmt then = run(node->then);
        std::vector<Access> after = std::move(pending_);
        pending_ = before;
        const Stmt otherwise = node->otherwise ? run(node->otherwise) : Stmt();
        pending_.insert(pending_.end(), after.begin(), after.end());
        return make_stmt(If(node->condition, then, otherwise));
      }
      default: break;
    }
    if (has_barrier(stmt)) {
      fail(
          "threads of the kernel of the loop {} wait for each other inside of a condition or loop that differs between "
          "them, where not all of them come; move that out of it",
          name());
    }
    require_threads_apart(accesses, threads_, same_for_all(), name(), budget_);
    note(accesses);
    return stmt;
  }

  // The end of an iteration lies before the beginning of the next.
  Stmt loop(const For& node) {
    const std::vector<Access> before = pending_;
    const BoundVar var{node.var, {node.min, node.extent}};
    For result = node;
    fixed_.push_back(var);
    for (int pass = 0, known = -1; pass < 2 || known != inserted_; ++pass) {
      known = inserted_;
      result.body = run(result.body);
      leave(pending_, 0, var);
    }
    fixed_.pop_back();
    // It may run not even once.
    const int64_t* extent = as_int(node.extent);
    if (extent == nullptr || *extent < 1) note(before);
    return make_stmt(std::move(result));
  }

  // Whether all threads of a block have the same value.
  bool is_uniform(Expr expr) const {
    for (size_t i = lets_.size(); i-- > 0;) expr = substitute(expr, {{lets_[i]->var.get(), lets_[i]->value}});
    return !reads_memory(expr) && !uses_var(expr, [&](const VarNode* v) {
      return std::any_of(threads_.begin(), threads_.end(), [&](const BoundVar& t) { return t.var.get() == v; });
    });
  }

  // Whether threads may make several of these to one element, with nothing to order them.
  bool may_race(const std::vector<Access>& accesses) const {
    for (size_t i = 0; i < accesses.size(); ++i) {
      for (size_t j = i; j < accesses.size(); ++j) {
        if (conflict(accesses[i], accesses[j])) return true;
      }
    }
    return false;
  }

  Stmt body_;
  std::vector<const For*> loops_;
  std::vector<BoundVar> blocks_, threads_;
  std::set<const BufferNode*> private_;
  std::vector<BoundVar> fixed_;   // loops around that all threads run alike
  std::vector<const Let*> lets_;  // around; each thread has its own values
  std::vector<Access> pending_;   // since the last barrier
  int inserted_ = 0;
  int64_t budget_ = kMostTried;
};

class InsertBarriers final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    return node.loop == ForKind::kThread ? BarrierPlacer(self).with_barriers() : Mutator::visit_for(node, self);
  }
};

}  // namespace

PrimFunc insert_barriers(PrimFunc function) {
  function.body = InsertBarriers().visit(function.body);
  return function;
}

}  // namespace vantage::cuda
