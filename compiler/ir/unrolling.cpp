#include "compiler/ir/unrolling.h"

#include <fmt/ranges.h>

#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

int64_t times(int64_t a, int64_t b) {
  return a != 0 && b > INT64_MAX / a ? INT64_MAX : a * b;
}
int64_t plus(int64_t a, int64_t b) {
  return b > INT64_MAX - a ? INT64_MAX : a + b;
}

// Counts the statements that a tree is written out as, and keeps the outermost unrolled loop that becomes the most.
class Statements final : public Visitor {
 public:
  using Visitor::visit;
  int64_t most = 0;
  std::vector<std::string> loops;  // those that become `most`, outermost first
  void visit(const Expr&) override {}

 protected:
  void visit_store(const Store&) override { count_ = plus(count_, 1); }
  void visit_evaluate(const Evaluate&) override { count_ = plus(count_, 1); }
  void visit_let(const Let& node) override {
    count_ = plus(count_, 1);
    Visitor::visit_let(node);
  }
  void visit_for(const For& node) override {
    const int64_t* extent = as_int(node.extent);
    if (node.loop != ForKind::kUnrolled || extent == nullptr || *extent <= 1) return Visitor::visit_for(node);
    const int64_t before = std::exchange(count_, 0);
    const std::vector<std::string> beside = std::exchange(inside_, {});
    ++depth_;
    Visitor::visit_for(node);
    --depth_;
    const int64_t own = times(*extent, count_);
    inside_.insert(inside_.begin(), node.var.name());
    if (depth_ == 0 && own > most) {
      most = own;
      loops = inside_;
    }
    if (!beside.empty()) inside_ = beside;
    count_ = plus(before, own);
  }

 private:
  int depth_ = 0;                    // of unrolled loops
  int64_t count_ = 0;                // of statements since the unrolled loop around
  std::vector<std::string> inside_;  // the unrolled loops below it, of the first chain of them
};

}  // namespace

std::string unrolled_too_far(const Stmt& stmt) {
  Statements statements;
  statements.visit(stmt);
  if (statements.most <= kMostUnrolled) return "";
  return fmt::format(
      "unroll: {} would be written out as {} statements, more than {}; split, and unroll fewer iterations",
      fmt::join(statements.loops, " around "), statements.most, kMostUnrolled);
}

}  // namespace vantage::ir
