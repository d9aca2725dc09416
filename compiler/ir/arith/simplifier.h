// The rewriting behind Analyzer::simplify.
#pragma once

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/visitor.h"

namespace vantage::ir {

class Simplifier : public Mutator {
 public:
  // `data_wraps`: as Analyzer::simplify_data() means it.
  Simplifier(Analyzer& analyzer, bool data_wraps)
      : analyzer_(analyzer), of_data_(data_wraps), data_wraps_(data_wraps) {}
  using Mutator::visit;
  Expr visit(const Expr& expr) override;

 protected:
  Expr visit_binary(const Binary& node, const Expr& self) override;
  Expr visit_load(const Load& node, const Expr& self) override;
  Expr visit_view(const View& node, const Expr& self) override;
  Expr visit_select(const Select& node, const Expr& self) override;
  Expr visit_call(const Call& node, const Expr& self) override;

 private:
  Expr sum(const Expr& expr);
  int64_t split_small(Linear& sum, int64_t divisor, Linear& small);
  Expr quotient(const Expr& a, const Expr& b);
  Expr remainder(const Expr& a, const Expr& b);
  Expr comparison(BinaryOp op, const Expr& a, const Expr& b);
  Expr logic(const Binary& node, const Expr& self);
  Expr minmax(BinaryOp op, const Expr& a, const Expr& b);
  // Whether it must be left as it is, for what it does when it overflows.
  bool may_wrap(const Expr& expr) const;

  Analyzer& analyzer_;
  const bool of_data_;
  bool data_wraps_;  // here: not in places
};

}  // namespace vantage::ir
