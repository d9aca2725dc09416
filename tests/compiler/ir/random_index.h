// Random integer expressions over variables with random ranges, and every (or a sample of every) assignment that the
// ranges and assumptions allow: what proofs and simplifications are held against.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "compiler/ir/arith/analyzer.h"
#include "tests/compiler/ir/evaluate.h"

namespace vantage::test {

struct IndexWorld {
  ir::Analyzer analyzer;
  std::vector<ir::Var> vars;        // the first one, n, is a size: at least 1
  std::vector<ir::Var> with_range;  // those that are bound to a range
  std::vector<Assignment> assignments;
  std::string description;  // of ranges and assumptions
};

// At most `most` assignments; none where the assumptions contradict the ranges.
IndexWorld random_world(std::mt19937_64& random, size_t most);

// Defined for every assignment: divisors are positive.
ir::Expr random_int(std::mt19937_64& random, const std::vector<ir::Var>& vars, int depth);
ir::Expr random_condition(std::mt19937_64& random, const std::vector<ir::Var>& vars, int depth);

}  // namespace vantage::test
