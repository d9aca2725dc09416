#include "compiler/ops/cuda/tensor_core_schedule.h"

#include <algorithm>

#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using schedule::Schedule;

bool schedule_by_tensor_cores(Schedule& s, const std::string& block, const cuda::Architecture& architecture) {
  const auto form = matrix_form(s, block);
  if (!form) return false;
  std::vector<TensorCoreSchedule> all = warpgroup_schedules(s, block, *form, architecture);
  std::ranges::move(warp_schedules(block, *form, architecture), std::back_inserter(all));
  std::ranges::stable_sort(all, {}, &TensorCoreSchedule::cycles);
  return std::ranges::any_of(all, [&](const TensorCoreSchedule& one) { return attempt_on(architecture, s, one.make); });
}

}  // namespace vantage::ops
