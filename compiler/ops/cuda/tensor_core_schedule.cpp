#include "compiler/ops/cuda/tensor_core_schedule.h"

#include <algorithm>
#include <optional>

#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/turn_operands.h"

namespace vantage::ops {

using schedule::Schedule;

bool schedule_by_tensor_cores(Schedule& s, const std::string& block, const cuda::Architecture& architecture) {
  const auto given = matrix_form(s, block);
  if (!given) return false;
  Schedule turned = s;
  std::optional<MatrixForm> form;
  if (!attempt_steps(turned, [&](Schedule& tried) { form = turn_operands(tried, block, *given); })) return false;
  std::vector<TensorCoreSchedule> all = warpgroup_schedules(turned, block, *form, architecture);
  std::ranges::move(warp_schedules(block, *form, architecture), std::back_inserter(all));
  std::ranges::stable_sort(all, {}, &TensorCoreSchedule::cycles);
  const bool made = std::ranges::any_of(
      all, [&](const TensorCoreSchedule& one) { return attempt_on(architecture, turned, one.make); });
  if (made) s = std::move(turned);
  return made;
}

}  // namespace vantage::ops
