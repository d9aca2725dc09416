// Products of matrices on tensor cores.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// By warpgroups, fed by the copy engine (sm_90a), or by warps. Tiles fill the matrices without a rest; `with_zeros`:
// only where they do so with zeros behind the matrices' ends. What is computed of the result is done by a kernel of its
// own, but for rounding to the operands' type. Of the tiles those are taken that cost least (matrix_form.h). False, and
// nothing done: it is no product of matrices as tensor_cores.h has them, or none fits. The schedule knows their
// intrinsics.
bool schedule_by_warpgroups(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture,
                            bool with_zeros);
bool schedule_by_warps(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture,
                       bool with_zeros);

}  // namespace vantage::ops
