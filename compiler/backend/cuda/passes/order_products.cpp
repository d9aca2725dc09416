#include "compiler/backend/cuda/passes/order_products.h"

#include <algorithm>

#include "compiler/backend/cuda/calls.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

bool only_products(const Stmt& stmt) {
  if (const auto* loop = stmt.as<For>()) return loop->loop != ForKind::kThread && only_products(loop->body);
  if (const auto* condition = stmt.as<If>()) return !condition->otherwise && only_products(condition->then);
  if (const auto* sequence = stmt.as<Seq>()) return std::ranges::all_of(sequence->stmts, only_products);
  return is_group_product(stmt);
}

class OrderProducts final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }
  Stmt visit(const Stmt& stmt) override {
    if (!stmt || !only_products(stmt)) return Mutator::visit(stmt);
    return seq({call_statement(kBeginProducts), stmt, call_statement(kCommitProducts),
                call_statement(kWaitProducts, {make_int(kIndex, 0)})});
  }
};

}  // namespace

PrimFunc order_products(PrimFunc function) {
  function.body = OrderProducts().visit(function.body);
  return function;
}

}  // namespace vantage::cuda
