// Products whose axes become as long as the tiles that they are made in, so that no tile goes beyond its end.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ops/cuda/product_form.h"

namespace vantage::ops {

// An axis of a product and what it becomes a multiple of.
using Multiple = std::pair<ProductForm::Axis, int64_t>;

// By pad_einsum (compiler/schedule/schedule.h); axes that are no index of their own stay as they are. Formulas of what
// is filled up go into the copies, and what cuts out the results that are wanted into what reads these, where they can.
// Throws Error where nothing becomes longer.
void pad_product(schedule::Schedule& s, const std::string& block, const std::vector<Multiple>& multiples);

}  // namespace vantage::ops
