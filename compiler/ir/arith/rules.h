// Rewrite rules of the simplifier, as data: what they match, what takes its place, and when.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/expr.h"

namespace vantage::ir {

// In a pattern, the variables x, y, z, p, q stand for any expression and c, d for integer literals; one that occurs
// twice must match equal expressions.
struct Rule {
  Expr pattern;
  Expr replacement;
  Expr condition;  // on c and d; null: always
};

const std::vector<Rule>& rules();

// The result of the first rule that matches the expression's outermost operation, null when none does.
Expr rewrite(const Expr& expr);

}  // namespace vantage::ir
