#include "compiler/backend/cuda/passes/merge_thread_loops.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "compiler/backend/cuda/accesses.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// One index of a kernel: the loop that all others with it become.
struct Index {
  std::string axis;
  Var var;
  Expr extent;
  std::vector<Var> vars;  // of all loops with it
};

class KernelMerger final : public Mutator {
 public:
  // `kernel` is its outermost loop.
  KernelMerger(const Stmt& kernel, const std::set<const BufferNode*>& made_outside)
      : kernel_(kernel), name_(kernel.as<For>()->var.name()), made_outside_(made_outside) {
    for (const For* loop : thread_loops(kernel)) add(*loop);
    add_warps();
    std::stable_sort(indices_.begin(), indices_.end(),
                     [](const Index& a, const Index& b) { return is_block_index(a.axis) && !is_block_index(b.axis); });
  }
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

  Stmt merged() {
    Stmt body = substitute(visit(kernel_), values_);
    require_own_values(body);
    for (size_t i = indices_.size(); i-- > 0;) {
      For loop;
      loop.var = indices_[i].var;
      loop.min = make_zero(loop.var.dtype());
      loop.extent = indices_[i].extent;
      loop.loop = ForKind::kThread;
      loop.thread = indices_[i].axis;
      loop.body = body;
      body = make_stmt(std::move(loop));
    }
    return body;
  }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (node.loop != ForKind::kThread) {
      if (once(node.body, self)) return alone(self);
      const Within within(outside_, {node.var, {node.min, node.extent}});
      return Mutator::visit_for(node, self);
    }
    const Within within(outside_, {node.var, {node.min}});
    const Index& index =
        *std::find_if(indices_.begin(), indices_.end(), [&](const Index& i) { return i.axis == node.thread; });
    values_[node.var.get()] = node.min + cast(node.var.dtype(), index.var);
    const bool is_new = around_.insert(index.axis).second;
    const Stmt body = visit(node.body);
    if (is_new) around_.erase(index.axis);
    return body;
  }
  Stmt visit_allocate(const Allocate& node, const Stmt& self) override {
    made_[node.buffer.get()] = around_;
    return Mutator::visit_allocate(node, self);
  }
  Stmt visit_if(const If& node, const Stmt& self) override {
    if (once(self, self)) return alone(self);
    const Within within(outside_, {{}, {node.condition}});
    return Mutator::visit_if(node, self);
  }
  Stmt visit_let(const Let& node, const Stmt& self) override {
    const Within within(outside_, {node.var, {node.value}});
    return Mutator::visit_let(node, self);
  }
  Stmt visit_store(const Store&, const Stmt& self) override { return alone(self); }
  Stmt visit_evaluate(const Evaluate&, const Stmt& self) override { return alone(self); }

 private:
  // What stands around a statement: a variable that has its values from these, or, if there is none, a condition.
  struct Outside {
    Var var;
    std::vector<Expr> from;
  };
  class Within {
   public:
    Within(std::vector<Outside>& all, Outside one) : all_(all) { all_.push_back(std::move(one)); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() { all_.pop_back(); }

   private:
    std::vector<Outside>& all_;
  };

  void add(const For& loop) {
    if (const std::string wrong = wrong_axis(loop); !wrong.empty()) fail("{}", wrong);
    const auto known =
        std::find_if(indices_.begin(), indices_.end(), [&](const Index& i) { return i.axis == loop.thread; });
    const Expr extent = analyzer_.simplify(loop.extent);
    if (known == indices_.end()) {
      indices_.push_back({loop.thread, Var(loop.var.name(), loop.var.dtype()), extent, {loop.var}});
    } else if (!structural_equal(extent, cast(extent.dtype(), known->extent))) {
      fail(
          "the loops {} and {} are both bound to {}, but have the extents {} and {}; they are one index and must agree",
          known->vars.front().name(), loop.var.name(), loop.thread, to_text(known->extent), to_text(extent));
    } else {
      known->vars.push_back(loop.var);
    }
  }

  // Where nothing is bound to the index in which the threads of a warp or warpgroup differ, they are there all the
  // same.
  void add_warps() {
    const auto is_along = [](const Index& index) { return index.axis == "threadIdx.x"; };
    if (std::any_of(indices_.begin(), indices_.end(), is_along)) return;
    int64_t threads = 1;
    for (const Access& access : accesses_of(kernel_)) {
      threads = std::max(threads, threads_together(access.buffer->scope));
    }
    if (threads > 1) indices_.push_back({"threadIdx.x", Var("thread", kIndex), make_int(kIndex, threads), {}});
  }

  // Whether a statement writes nothing but what others see, and has neither loops of threads nor barriers inside: all
  // of it can be done by one thread. What a warp does on tiles, and the code has all of its threads do, stays apart.
  bool once(const Stmt& inside, const Stmt& whole) const {
    struct Inside final : Visitor {
      using Visitor::visit;
      bool whole = true, tiles = false, others = false;
      void visit(const Stmt& stmt) override {
        const bool on_tiles = is_tile_call(stmt);
        tiles = tiles || on_tiles;
        others = others || (!on_tiles && (stmt.kind() == StmtKind::kStore || stmt.kind() == StmtKind::kEvaluate));
        Visitor::visit(stmt);
      }
      void visit_for(const For& node) override {
        whole = whole && node.loop != ForKind::kThread;
        Visitor::visit_for(node);
      }
      void visit_allocate(const Allocate&) override { whole = false; }
      void visit_call(const Call& node) override {
        whole = whole && node.function != kStorageSync;
        Visitor::visit_call(node);
      }
    } search;
    search.visit(inside);
    if (!search.whole || (search.tiles && search.others)) return false;
    const std::vector<Access> writes = writes_of(whole);
    if (writes.empty()) return false;
    const auto indices = missing(whole, writes.front());
    return !indices.empty() && std::all_of(writes.begin(), writes.end(), [&](const Access& write) {
      return !is_private(write.buffer) && missing(whole, write) == indices;
    });
  }
  static std::vector<Access> writes_of(const Stmt& stmt) {
    std::vector<Access> accesses = accesses_of(stmt);
    accesses.erase(std::remove_if(accesses.begin(), accesses.end(), [](const Access& a) { return !a.is_write; }),
                   accesses.end());
    return accesses;
  }

  // Of threads together, and of no other kernel.
  static bool lasts_for_a_kernel(std::string_view scope) { return is_shared(scope) || is_of_warps(scope); }
  bool is_private(const Buffer& buffer) const {
    return is_local(buffer->scope) || (made_.count(buffer.get()) > 0 && !lasts_for_a_kernel(buffer->scope));
  }

  // The indices that have no part in what is written, and in which the threads differ that have the memory together:
  // there is no loop around with that index, or what stands inside it is the same in all its iterations.
  std::vector<const Index*> missing(const Stmt& stmt, const Access& write) const {
    std::vector<const Index*> result;
    for (const Index& index : indices_) {
      const bool common = !is_private(write.buffer) && is_common(write.buffer->scope, index.axis);
      const bool around = around_.count(index.axis) > 0;
      if (common && (!around || (!write.is_update && is_alike(stmt, index)))) result.push_back(&index);
    }
    return result;
  }
  bool is_alike(const Stmt& stmt, const Index& index) const {
    std::vector<Var> moving = index.vars;
    const auto moves = [&](const auto& what) {
      const auto uses = [&](const Var& var) { return uses_var(what, var); };
      return std::any_of(moving.begin(), moving.end(), uses) || reads_private(what);
    };
    for (const auto& [var, from] : outside_) {
      if (std::none_of(from.begin(), from.end(), moves)) continue;
      if (!var.defined()) return false;
      moving.push_back(var);
    }
    return !moves(stmt);
  }
  // Of an expression or a statement.
  template <typename What>
  bool reads_private(const What& what) const {
    struct Search final : Visitor {
      using Visitor::visit;
      const KernelMerger* merger = nullptr;
      bool found = false;
      void take(const Buffer& buffer) { found = found || merger->is_private(buffer); }
      void visit_load(const Load& node) override {
        take(node.buffer);
        Visitor::visit_load(node);
      }
      void visit_view(const View& node) override {
        if (node.touch != Touch::kWrite) take(node.buffer);
        Visitor::visit_view(node);
      }
    } search;
    search.merger = this;
    search.visit(what);
    return search.found;
  }

  Stmt alone(const Stmt& stmt) const {
    Expr first = true;
    std::set<const Index*> indices;
    for (const Access& write : writes_of(stmt)) {
      for (const Index* index : missing(stmt, write)) {
        if (!indices.insert(index).second) continue;
        const Expr is_first = index->var == make_zero(index->var.dtype());
        const bool by_warp = index->axis == "threadIdx.x" && only_tiles(stmt);
        first = first && (by_warp ? call(kByWarp, {is_first}) : is_first);
      }
    }
    return is_int(first, 1) ? stmt : make_stmt(If(first, stmt, {}));
  }

  // What a thread has alone holds only what it put there itself. A buffer that is made inside of an index' loops is
  // filled anew in each, as a schedule has it; of others, each thread must have its own elements.
  void require_own_values(const Stmt& body) const {
    const std::vector<Access> accesses = accesses_of(body);
    for (const Access& read : accesses) {
      const Buffer& buffer = read.buffer;
      const auto made = made_.find(buffer.get());
      if (made == made_.end()) {
        if (made_outside_.count(buffer.get()) == 0) continue;
        if (!is_local(buffer->scope) && !lasts_for_a_kernel(buffer->scope)) continue;
        fail("{} is in {} memory, which lasts as long as one kernel, but it is used outside of that of the loop {}",
             buffer->name, buffer->scope, name_);
      }
      // Indices in which those differ that do not see each other's; those that both have alike, as it is made anew for
      // each; and those of threads that share it, whoever of them writes and reads.
      std::vector<BoundVar> others, same, sharing;
      for (const Index& index : indices_) {
        const bool common = is_common_made(buffer, index.axis), anew = made->second.count(index.axis) > 0;
        (common ? sharing : anew ? same : others).push_back({index.var, {make_zero(index.var.dtype()), index.extent}});
      }
      if (read.is_write || others.empty()) continue;
      const auto by_any = [&](Access access) {
        access.inner.insert(access.inner.end(), sharing.begin(), sharing.end());
        return access;
      };
      for (const Access& write : accesses) {
        if (!write.is_write || write.buffer != buffer) continue;
        const auto [a, b] = as_pair(by_any(write), by_any(read));
        if (touch_apart(a, b, others, same) || done_by_all(write, others)) continue;
        const auto& axis = std::find_if(indices_.begin(), indices_.end(), [&](const Index& i) {
                             return i.var.same_as(others.front().var);
                           })->axis;
        if (is_shared(buffer->scope)) {
          fail(
              "{} is read by other blocks than the one that made it, and each block has shared memory of its own; "
              "compute it inside of the loop that is bound to {}",
              buffer->name, axis);
        }
        fail(
            "{} is read by other threads than the one that made it, which alone sees it in {} memory; set its scope to "
            "\"shared\", or compute it inside of the loop that is bound to {}",
            buffer->name, is_local(buffer->scope) ? "local" : "a thread's own", axis);
      }
    }
  }
  static bool is_common_made(const Buffer& buffer, std::string_view axis) {
    return lasts_for_a_kernel(buffer->scope) && is_thread_index(axis) && is_common(buffer->scope, axis);
  }
  // Every thread writes it for itself, whatever its index.
  static bool done_by_all(const Access& write, const std::vector<BoundVar>& threads) {
    return std::none_of(threads.begin(), threads.end(), [&](const BoundVar& thread) {
      const auto uses = [&](const Expr& e) { return uses_var(e, thread.var); };
      return std::any_of(write.indices.begin(), write.indices.end(), uses) ||
             std::any_of(write.conditions.begin(), write.conditions.end(), uses) ||
             std::any_of(write.inner.begin(), write.inner.end(),
                         [&](const BoundVar& v) { return uses(v.range.min) || uses(v.range.extent); });
    });
  }

  const Stmt kernel_;
  const std::string name_;
  const std::set<const BufferNode*>& made_outside_;
  Analyzer analyzer_;
  std::vector<Index> indices_;
  std::set<std::string> around_;  // indices that loops around have
  std::vector<Outside> outside_;
  std::map<const BufferNode*, std::set<std::string>> made_;  // allocated, inside of these indices' loops
  VarMap values_;
};

class MergeThreadLoops final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (node.loop != ForKind::kThread) return Mutator::visit_for(node, self);
    return KernelMerger(self, made_).merged();
  }
  Stmt visit_allocate(const Allocate& node, const Stmt& self) override {
    made_.insert(node.buffer.get());
    return Mutator::visit_allocate(node, self);
  }

 private:
  std::set<const BufferNode*> made_;
};

}  // namespace

PrimFunc merge_thread_loops(PrimFunc function) {
  function.body = MergeThreadLoops().visit(function.body);
  return function;
}

}  // namespace vantage::cuda
