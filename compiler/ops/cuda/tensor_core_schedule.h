// Products of matrices on tensor cores.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/ops/cuda/matrix_form.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// One way to make a product, and what it takes (matrix_form.h); `make` throws Error where it is not legal.
struct TensorCoreSchedule {
  double cycles = 0;
  std::function<void(schedule::Schedule&)> make;
};
// By warpgroups, fed by the copy engine (sm_90a), and by warps. None where the architecture lacks
// them. What they return refers to nothing that is given.
std::vector<TensorCoreSchedule> warpgroup_schedules(schedule::Schedule& s, const std::string& block,
                                                    const MatrixForm& form, const cuda::Architecture& architecture);
std::vector<TensorCoreSchedule> warp_schedules(const std::string& block, const MatrixForm& form,
                                               const cuda::Architecture& architecture);

// By that of all of them which takes least of those that can be. What is computed of the result is done by a kernel of
// its own, but for rounding to the operands' type. False, and nothing done: it is no product of matrices as
// tensor_cores.h has them, or no way can be gone.
bool schedule_by_tensor_cores(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture);

}  // namespace vantage::ops
