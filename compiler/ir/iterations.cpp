#include "compiler/ir/iterations.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

// More iterations than any vector has lanes are not tried one by one.
constexpr int64_t kMostTried = 1024;

// How a body touches each buffer that is not its own, and what its own variables are.
class Touches final : public Visitor {
 public:
  using Visitor::visit;
  struct Touched {
    const std::vector<Expr>* indices = nullptr;  // of the first access
    int stores = 0, loads = 0;
    bool is_one = true;     // all accesses have these indices
    bool is_again = false;  // one is inside of a loop
  };
  std::map<const BufferNode*, Touched> buffers;
  Analyzer analyzer;  // knows the ranges of loops

  bool uses_own(const Expr& expr) const {
    return uses_var(expr, [&](const VarNode* var) { return own_.contains(var); });
  }

 protected:
  void visit_load(const Load& node) override {
    ++touch(node.buffer, node.indices).loads;
    Visitor::visit_load(node);
  }
  void visit_store(const Store& node) override {
    ++touch(node.buffer, node.indices).stores;
    Visitor::visit_store(node);
  }
  void visit_for(const For& node) override {
    own_.insert(node.var.get());
    analyzer.bind(node.var, {node.min, node.extent});
    ++loops_;
    Visitor::visit_for(node);
    --loops_;
  }
  void visit_let(const Let& node) override {
    own_.insert(node.var.get());
    Visitor::visit_let(node);
  }
  // Each iteration has one of its own.
  void visit_allocate(const Allocate& node) override {
    Visitor::visit_allocate(node);
    buffers.erase(node.buffer.get());
  }

 private:
  Touched& touch(const Buffer& buffer, const std::vector<Expr>& indices) {
    const auto same = [](const Expr& x, const Expr& y) { return structural_equal(x, y); };
    Touched& touched = buffers[buffer.get()];
    if (touched.indices == nullptr) touched.indices = &indices;
    touched.is_one = touched.is_one && std::ranges::equal(*touched.indices, indices, same);
    touched.is_again = touched.is_again || loops_ > 0;
    return touched;
  }

  std::set<const VarNode*> own_;
  int loops_ = 0;
};

// Whether an index is another one in every iteration, whatever the body's own variables are: these reach less far than
// the next iteration is away.
bool counts_up(const Expr& index, const For& loop, const Touches& touches) {
  Linear sum = Linear::of(index);
  const int64_t factor = std::abs(sum.factor_of(loop.var));
  if (!sum.exact || factor == 0) return false;
  Linear own;
  for (const auto& [atom, by] : sum.terms) {
    if (atom.same_as(loop.var) || Var::of(atom).get() == loop.var.get()) continue;
    if (uses_var(atom, loop.var)) return false;
    if (touches.uses_own(atom)) own.add(atom, by);
  }
  if (own.is_constant()) return true;
  const Bounds bounds = touches.analyzer.bounds(own.to_expr(index.dtype()));
  return bounds.min != -Bounds::kInfinity && bounds.max != Bounds::kInfinity && bounds.max - bounds.min < factor;
}

// The same of all indices together, by trying every iteration.
bool are_tried_distinct(const std::vector<Expr>& indices, const For& loop, const Touches& touches) {
  const int64_t* extent = as_int(loop.extent);
  const auto is_own = [&](const Expr& index) { return touches.uses_own(index); };
  if (extent == nullptr || *extent > kMostTried || std::ranges::any_of(indices, is_own)) return false;
  // How far each is from the first one, where that is a number.
  Analyzer analyzer;
  std::vector<Linear> first;
  std::set<std::vector<int64_t>> places;
  for (int64_t i = 0; i < *extent; ++i) {
    const Expr value = analyzer.simplify(loop.min + make_int(loop.var.dtype(), i));
    std::vector<int64_t> place;
    for (size_t d = 0; d < indices.size(); ++d) {
      Linear index = Linear::of(analyzer.simplify(substitute(indices[d], {{loop.var.get(), value}})));
      if (i == 0) first.push_back(index);
      index.add(first[d], -1);
      if (!index.exact || !index.is_constant()) return false;
      place.push_back(index.constant);
    }
    if (!places.insert(std::move(place)).second) return false;
  }
  return true;
}

}  // namespace

bool iterations_apart(const For& loop) {
  Touches touches;
  touches.visit(loop.body);
  return std::ranges::all_of(touches.buffers, [&](const auto& entry) {
    const Touches::Touched& touched = entry.second;
    // What one statement stores, once, and none reads is stored in order.
    if (touched.stores == 0 || (touched.stores + touched.loads == 1 && !touched.is_again)) return true;
    return touched.is_one &&
           (std::ranges::any_of(*touched.indices, [&](const Expr& index) { return counts_up(index, loop, touches); }) ||
            are_tried_distinct(*touched.indices, loop, touches));
  });
}

}  // namespace vantage::ir
