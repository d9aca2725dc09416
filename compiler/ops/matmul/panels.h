// pack_panels and panel_matmul: a product of matrices whose right side lies as a processor's vectors read it.
//
//   panels  [..., ceil(n / width), depth, width]  `width` columns side by side, all of their depth behind each other
//
// The depth is that of the matrix, rounded up to whole steps of kPanelStep; what is no element of the matrix is zero.
// Weights become panels as a network is compiled (compiler/network/pack_products.h); compiler/ops/cpu/panel_schedules.h
// has the schedule.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

// So many rows of the left side's columns are copied together.
inline constexpr int64_t kPanelStep = 16;

std::vector<Operator> panel_operators();

}  // namespace vantage::ops
