// How a product's operand lies in memory, seen from its axes, and what of it can be fetched at once.
//
// Thread safety: functions without state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/ops/cuda/product_form.h"

namespace vantage::ops {

// An operand's dimensions: those along axes of its side, and others.
struct OperandLayout {
  std::vector<size_t> own, others;
  bool moved = false;        // some of the others lie inside of those of its own
  bool ends_in_sum = false;  // one alone does, the last, along the longest axis of the sum
};
// As the product's block reads it.
OperandLayout operand_layout(const ProductForm& form, size_t side, const ir::Block& block);

// Whether so many values of a block's last axis read elements side by side, from a multiple of them on, all under one
// condition.
bool lie_side_by_side(const ir::Block& block, const ir::Load& load, const ir::Expr& condition, int64_t lanes);

}  // namespace vantage::ops
