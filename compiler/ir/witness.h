// A search for loop iterations that take an index out of its bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/substitute.h"

namespace vantage::ir {

// What is around a place in a function, outermost first, and what must hold for the place to be reached.
struct Surroundings {
  struct Definition {
    Var var;
    Range range;  // of a loop
    Expr value;   // of an axis (its binding) or a let; null for a loop
  };
  std::vector<Definition> definitions;
  std::vector<Expr> conditions;
};

struct Witness {
  int64_t value;      // of the index, outside of [first, first + extent)
  std::string sizes;  // "n = 16, m = 16"; empty when nothing but loops occurs
};

// Iterations for which everything around holds and `index` is not in [domain.min, domain.min + domain.extent), as
// verify.h says; nothing when none was found.
std::optional<Witness> find_witness(const Surroundings& around, const Expr& index, const Range& domain);

}  // namespace vantage::ir
