// How a processor computes products whose right side lies in panels (compiler/ops/matmul/panels.h), and what follows
// them element by element: schedule rules, named by their operators.
//
// A tile of sums stays in registers for all of its depth; what follows is done to it before the next one begins.
#pragma once

#include "compiler/backend/cpu/target.h"
#include "compiler/ir/prim_func.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// REQUIRES, both: a function of compiler/graph/lower.h that has one such product, and gives out one tensor of its
// shape.
//
// Of panel_matmul: rows are packed, as many as the second level of cache holds twice, and pass by one panel after the
// other.
schedule::Schedule schedule_panel_matmul(ir::PrimFunc function, const cpu::Target& target, int threads);
// Of panel_conv2d: rows of the image that stay in the second level of cache pass by one panel after the other.
schedule::Schedule schedule_panel_conv2d(ir::PrimFunc function, const cpu::Target& target, int threads);

}  // namespace vantage::ops
