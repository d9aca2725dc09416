// Products of matrices on tensor cores.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// By warpgroups, fed by the copy engine (sm_90a), or by warps. Tiles must fill the matrices without a rest; what is
// computed of the result is done by a kernel of its own, but for rounding to the operands' type. The largest tiles that
// leave work for every multiprocessor are taken. False, and nothing done: it is no product of matrices as
// tensor_cores.h has them, or none fits. The schedule knows their intrinsics.
bool schedule_by_warpgroups(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture);
bool schedule_by_warps(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture);

}  // namespace vantage::ops
