// Indices that are numbers whose digits are axes: how several axes are laid out in one dimension.
//
// Thread safety: a function without state.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/stmt.h"

namespace vantage::schedule {

// i0 * step0 + i1 * step1 + ..., from the digit that changes fastest on; each step is what those before it count.
struct IndexDigits {
  struct Digit {
    ir::Var axis;
    int64_t step, extent;
  };
  std::vector<Digit> digits;
  int64_t count = 1;  // of all numbers, from 0 on

  // The digit of a number below `count`.
  ir::Expr digit(size_t i, const ir::Expr& number) const;
};

// Nothing where the index is none of the block's axes, counted from 0 and of constant extents, each once. Axes of one
// value are no digits.
std::optional<IndexDigits> digits_of(const ir::Expr& index, const ir::Block& block);

}  // namespace vantage::schedule
