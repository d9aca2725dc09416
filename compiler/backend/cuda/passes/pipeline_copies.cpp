#include "compiler/backend/cuda/passes/pipeline_copies.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "compiler/backend/cuda/accesses.h"
#include "compiler/backend/cuda/box_copy.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"
#include "compiler/passes/notes.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// Each of some buffers with a place for every stage, as its first dimension: the indices of iteration `turn` mod
// stages.
class InTurn final : public Mutator {
 public:
  InTurn(const std::map<const BufferNode*, Buffer>& places, Expr turn) : places_(places), turn_(std::move(turn)) {}
  using Mutator::visit;

 protected:
  Expr visit_load(const Load& node, const Expr& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_load(node, self);
    return load(found->second, indices(node.indices));
  }
  Stmt visit_store(const Store& node, const Stmt& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_store(node, self);
    return store(found->second, indices(node.indices), visit(node.value));
  }
  Expr visit_view(const View& node, const Expr& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_view(node, self);
    std::vector<Range> box = {{turn_, make_int(turn_.dtype(), 1)}};
    for (const Range& range : node.box) box.push_back(Mutator::visit(range));
    return Expr(std::make_shared<View>(found->second, std::move(box), node.touch));
  }

 private:
  std::vector<Expr> indices(const std::vector<Expr>& given) {
    std::vector<Expr> result = {turn_};
    for (const Expr& index : given) result.push_back(visit(index));
    return result;
  }

  const std::map<const BufferNode*, Buffer>& places_;
  Expr turn_;
};

// Copies of boxes with the number of their pipeline and the place that they fill.
class Placed final : public Mutator {
 public:
  Placed(Expr pipeline, Expr place) : pipeline_(std::move(pipeline)), place_(std::move(place)) {}
  using Mutator::visit;

 protected:
  Stmt visit_evaluate(const Evaluate& node, const Stmt& self) override {
    if (as_call(self, kCopyBox) == nullptr) return Mutator::visit_evaluate(node, self);
    std::vector<Expr> arguments = node.call.as<Call>()->arguments;
    arguments[arguments.size() - 2] = pipeline_;
    arguments[arguments.size() - 1] = place_;
    return call_statement(kCopyBox, std::move(arguments));
  }

 private:
  Expr pipeline_, place_;
};

// How many copies of boxes a statement makes, and whether it has stores besides.
class Copies final : public Visitor {
 public:
  // `threads`: a block's indices of threads.
  explicit Copies(const std::set<const VarNode*>& threads) : threads_(threads) {}
  using Visitor::visit;
  int64_t boxes = 0;
  bool others = false;

 protected:
  void visit_evaluate(const Evaluate& node) override {
    const auto* call = node.call.as<Call>();
    if (call != nullptr && call->function == kCopyBox) boxes += box_copy(*call).columns();
  }
  void visit_store(const Store&) override { others = true; }
  void visit_for(const For& node) override {
    const int64_t before = boxes;
    Visitor::visit_for(node);
    if (boxes == before) return;
    fail("the loop {} is around copies of boxes of a pipeline, which are one each", node.var.name());
  }
  void visit_if(const If& node) override {
    const int64_t before = boxes;
    Visitor::visit_if(node);
    if (boxes == before || by_one_thread(node.condition)) return;
    fail("copies of boxes of a pipeline are awaited in each of its iterations, and these are made only where {}",
         to_text(node.condition));
  }

 private:
  bool by_one_thread(const Expr& condition) const {
    return std::ranges::all_of(conjuncts(condition), [&](const Expr& part) {
      const auto* equal = part.as<Binary>();
      const Var var = equal == nullptr ? Var() : Var::of(equal->a);
      return var.defined() && equal->op == BinaryOp::kEq && threads_.count(var.get()) > 0 && is_int(equal->b, 0);
    });
  }

  const std::set<const VarNode*>& threads_;
};

// Outermost loops of copies.
Stmt noted_as_copies(const Stmt& stmt) {
  if (const auto* loop = stmt.as<For>()) {
    For noted = *loop;
    noted.annotations[std::string(kAsyncNote)] = 1;
    return make_stmt(std::move(noted));
  }
  if (const auto* parts = stmt.as<Seq>()) {
    std::vector<Stmt> noted;
    for (const Stmt& part : parts->stmts) noted.push_back(noted_as_copies(part));
    return seq(std::move(noted));
  }
  return stmt;
}

// Whether a statement may store an element twice. Copies beside the threads would not come in that order.
class StoresTwice final : public Visitor {
 public:
  using Visitor::visit;
  bool found = false;
  void visit(const Stmt& stmt) override {
    if (const auto* parts = stmt.as<Seq>()) {
      std::set<const BufferNode*> before;
      for (const Stmt& part : parts->stmts) {
        std::set<const BufferNode*> written;
        for (const Access& access : accesses_of(part)) {
          if (access.is_write) written.insert(access.buffer.get());
        }
        for (const BufferNode* buffer : written) found = found || !before.insert(buffer).second;
      }
    }
    Visitor::visit(stmt);
  }

 protected:
  void visit_for(const For& node) override {
    if (node.loop != ForKind::kThread) loops_.push_back(node.var);
    Visitor::visit_for(node);
    if (node.loop != ForKind::kThread) loops_.pop_back();
  }
  void visit_store(const Store& node) override {
    for (const Var& var : loops_) {
      const auto uses = [&](const Expr& index) { return uses_var(index, var); };
      found = found || std::ranges::none_of(node.indices, uses);
    }
  }

 private:
  std::vector<Var> loops_;
};

class PipelineCopies final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (node.loop == ForKind::kThread && is_thread_index(node.thread)) threads_.insert(node.var.get());
    const auto note = node.annotations.find(std::string(passes::kPipelineNote));
    if (note == node.annotations.end()) return Mutator::visit_for(node, self);
    const int64_t* stages = as_int(note->second);
    if (stages == nullptr || *stages < 2) {
      fail("the loop {} is noted to have {} stages; a pipeline has two or more", node.var.name(),
           to_text(note->second));
    }
    if (node.loop != ForKind::kSerial && node.loop != ForKind::kUnrolled) {
      fail("the loop {} is to be a pipeline, whose iterations run one after the other", node.var.name());
    }
    return pipeline(node, *stages);
  }

 private:
  Stmt pipeline(const For& node, int64_t stages) {
    // What is allocated in the loop's body goes around it, if it is fetched.
    std::vector<const Allocate*> made;
    Stmt body = node.body;
    while (const auto* allocate = body.as<Allocate>()) {
      made.push_back(allocate);
      body = allocate->body;
    }
    const auto* sequence = body.as<Seq>();
    const std::vector<Stmt> stmts = sequence == nullptr ? std::vector{body} : sequence->stmts;
    size_t count = 0;
    while (count < stmts.size() && is_fetch(stmts[count], made)) ++count;
    if (count == 0 || count == stmts.size()) {
      fail(
          "the loop {} is to be a pipeline, but does not begin by bringing to shared memory what it then uses; "
          "compute_at what fills shared memory at this loop",
          node.var.name());
    }
    const Stmt fetch = seq({stmts.begin(), stmts.begin() + static_cast<ptrdiff_t>(count)});
    Stmt compute = seq({stmts.begin() + static_cast<ptrdiff_t>(count), stmts.end()});
    require_independent(node, fetch, compute);
    std::map<const BufferNode*, Buffer> places;
    for (const Allocate* allocate : made) {
      if (!touches(fetch, allocate->buffer)) {
        compute = make_stmt(Allocate(allocate->buffer, compute, allocate->annotations));
        continue;
      }
      BufferNode several = *allocate->buffer;
      // Places with strides of their own lie one behind the other, each from a multiple of 16 bytes.
      if (!several.strides.empty()) {
        const int64_t elements = std::max<int64_t>(1, 16 / several.dtype.bytes());
        const Expr span = allocate->buffer->all_strides()[0] * allocate->buffer->shape[0];
        several.strides.insert(several.strides.begin(),
                               ceil_div(span, make_int(span.dtype(), elements)) * make_int(span.dtype(), elements));
      }
      several.shape.insert(several.shape.begin(), make_int(kIndex, stages));
      places[allocate->buffer.get()] = make_buffer(std::move(several));
    }
    StoresTwice twice;
    twice.visit(fetch);
    return with_places(made, places,
                       ahead(node, stages, twice.found ? fetch : noted_as_copies(fetch), compute, places));
  }

  // What is fetched ahead must be there already; and copies are counted for the thread, not for a loop.
  static void require_independent(const For& node, const Stmt& fetch, const Stmt& compute) {
    struct Search final : Visitor {
      using Visitor::visit;
      std::vector<Buffer> written;
      std::string inner;
      void visit_store(const Store& store) override {
        written.push_back(store.buffer);
        Visitor::visit_store(store);
      }
      void visit_view(const View& view) override {
        if (view.touch != Touch::kRead) written.push_back(view.buffer);
        Visitor::visit_view(view);
      }
      void visit_for(const For& loop) override {
        if (loop.annotations.count(std::string(passes::kPipelineNote)) > 0) inner = loop.var.name();
        Visitor::visit_for(loop);
      }
    } search;
    search.visit(compute);
    if (!search.inner.empty()) {
      fail("the loop {} is to be a pipeline inside of that of the loop {}; one of them can be", search.inner,
           node.var.name());
    }
    for (const Buffer& buffer : search.written) {
      if (!touches(fetch, buffer)) continue;
      fail(
          "the loop {} is to be a pipeline, but what it fetches ahead is from {}, which its iterations write; an "
          "iteration would read what an earlier one has yet to write",
          node.var.name(), buffer->name);
    }
  }

  // The first fetches, then the loop.
  Stmt ahead(const For& node, int64_t stages, const Stmt& fetch, Stmt compute,
             const std::map<const BufferNode*, Buffer>& places) {
    const DType type = node.var.dtype();
    const auto number = [&](int64_t value) { return make_int(type, value); };
    Copies copies(threads_);
    copies.visit(fetch);
    const Expr pipeline = make_int(kIndex, copies.boxes > 0 ? pipelines_++ : -1);
    // Products that an iteration ends with may run into the next one, which then fetches to the place before theirs.
    const bool overlaps = ends_in_products(compute);
    if (overlaps && stages < 3) {
      fail("the loop {} is to have two stages, and products of warpgroups, which run beside it, take a third",
           node.var.name());
    }
    const int64_t lead = overlaps ? stages - 2 : stages - 1;
    Analyzer analyzer;
    const auto place_of = [&](const Expr& iteration) {
      return analyzer.simplify(floor_mod(iteration, number(stages)));
    };
    const auto in_turn = [&](const Stmt& stmt, const Expr& iteration) {
      const Expr place = place_of(iteration);
      return Placed(pipeline, place).visit(InTurn(places, place).visit(stmt));
    };
    const auto fetch_of = [&](const Expr& iteration) {
      const Stmt copy = fresh_copy(substitute(fetch, {{node.var.get(), analyzer.simplify(node.min + iteration)}}));
      return in_turn(copy, iteration);
    };
    std::vector<Stmt> all;
    if (copies.boxes > 0) {
      all.push_back(call_statement(kBeginArrivals, {pipeline, number(stages), number(copies.boxes)}));
    }
    const int64_t* extent = as_int(node.extent);
    for (int64_t i = 0; i < lead; ++i) {
      if (extent == nullptr) {
        all.push_back(make_stmt(If(number(i) < node.extent, fetch_of(number(i)), {})));
      } else if (i < *extent) {
        all.push_back(fetch_of(number(i)));
      }
      if (copies.others) all.push_back(call_statement(kCommitCopies));
    }
    const Var var(node.var.name(), type);
    const Expr next = var + number(lead);
    For loop = node;
    loop.var = var;
    loop.min = number(0);
    loop.annotations.erase(std::string(passes::kPipelineNote));
    const Stmt computed = in_turn(substitute(compute, {{node.var.get(), analyzer.simplify(node.min + var)}}), var);
    // A thread waits for its own copies, and then for the other threads, which have waited for theirs.
    std::vector<Stmt> body;
    if (copies.others) body.push_back(call_statement(kWaitCopies, {number(lead - 1)}));
    if (copies.boxes > 0) body.push_back(call_statement(kAwaitArrival, {pipeline, place_of(var)}));
    body.push_back(call_statement(kStorageSync, {make_string("shared")}));
    if (overlaps) body.push_back(without_wait(computed));
    body.push_back(make_stmt(If(next < node.extent, fetch_of(next), {})));
    if (copies.others) body.push_back(call_statement(kCommitCopies));
    body.push_back(overlaps ? call_statement(kWaitProducts, {number(1)}) : computed);
    loop.body = seq(std::move(body));
    all.push_back(make_stmt(std::move(loop)));
    if (overlaps) all.push_back(call_statement(kWaitProducts, {number(0)}));
    if (copies.boxes > 0) all.push_back(call_statement(kEndArrivals, {pipeline}));
    return seq(std::move(all));
  }

  static bool ends_in_products(const Stmt& compute) {
    const auto* parts = compute.as<Seq>();
    return parts != nullptr && as_call(parts->stmts.back(), kWaitProducts) != nullptr;
  }
  static Stmt without_wait(const Stmt& compute) {
    const auto& stmts = compute.as<Seq>()->stmts;
    return seq({stmts.begin(), stmts.end() - 1});
  }

  static Stmt with_places(const std::vector<const Allocate*>& made, const std::map<const BufferNode*, Buffer>& places,
                          Stmt body) {
    for (size_t i = made.size(); i-- > 0;) {
      const auto place = places.find(made[i]->buffer.get());
      if (place != places.end()) body = make_stmt(Allocate(place->second, body, made[i]->annotations));
    }
    return body;
  }

  // Whether a statement fills what is made in the loop for all threads, and reads nothing of that.
  static bool is_fetch(const Stmt& stmt, const std::vector<const Allocate*>& made) {
    struct Search final : Visitor {
      using Visitor::visit;
      const std::vector<const Allocate*>* own = nullptr;
      bool fits = true, writes = false;
      bool is_own(const Buffer& buffer) const {
        return std::any_of(own->begin(), own->end(), [&](const Allocate* a) { return a->buffer == buffer; });
      }
      void visit_load(const Load& node) override {
        fits = fits && !is_own(node.buffer);
        Visitor::visit_load(node);
      }
      void visit_store(const Store& node) override {
        fits = fits && is_own(node.buffer) && is_shared(node.buffer->scope);
        writes = true;
        Visitor::visit_store(node);
      }
      void visit_evaluate(const Evaluate& node) override {
        const auto* call = node.call.as<Call>();
        if (call == nullptr || call->function != kCopyBox) {
          fits = false;
          return;
        }
        Visitor::visit_evaluate(node);
      }
      void visit_view(const View& node) override {
        fits = fits && is_own(node.buffer) == (node.touch != Touch::kRead);
        writes = writes || node.touch != Touch::kRead;
      }
      void visit_allocate(const Allocate&) override { fits = false; }
    } search;
    search.own = &made;
    search.visit(stmt);
    return search.fits && search.writes;
  }

  int64_t pipelines_ = 0;             // of those that copy boxes
  std::set<const VarNode*> threads_;  // indices that loops around have
};

}  // namespace

PrimFunc pipeline_copies(PrimFunc function) {
  function.body = PipelineCopies().visit(function.body);
  return function;
}

}  // namespace vantage::cuda
