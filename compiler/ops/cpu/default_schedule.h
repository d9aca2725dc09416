// A schedule for whatever has none of its own.
#pragma once

#include "compiler/backend/cpu/target.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Formulas that are read once move into what reads them; what an output needs of the others is computed row by row with
// it, where that is legal. Then every block is vectorized: along the last dimension of what it writes, or, where it
// folds what lies side by side, in as many partial results as a vector has lanes. Rows are shared among threads.
// Sums of floats are thereby added in another order. Products in panels have a schedule of their own, which a
// function's annotation kScheduleRule asks for (panel_schedules.h). Throws Error for a rule that there
// is not.
schedule::Schedule schedule_by_default(ir::PrimFunc function, const cpu::Target& target, int threads = 1);

}  // namespace vantage::ops
