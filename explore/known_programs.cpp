#include "explore/known_programs.h"

#include <algorithm>

namespace vantage::explore {

const Evaluation* KnownPrograms::find(const ops::VtaConv2d& task, const Design& design,
                                      const ops::VtaConv2dMapping& mapping) const {
  const auto found = std::ranges::find_if(known_, [&](const Known& known) {
    return known.mapping == mapping && known.task == task && known.design.memory == design.memory &&
           ops::but_for_scratchpads(known.design.config) == ops::but_for_scratchpads(design.config) &&
           ops::is_same_program(task.shape, task.epilogue, mapping, ops::depths_of(known.design.config),
                                known.came.needs, design.config);
  });
  return found == known_.end() ? nullptr : &found->came;
}

void KnownPrograms::add(const ops::VtaConv2d& task, const Design& design, const ops::VtaConv2dMapping& mapping,
                        const Evaluation& came) {
  constexpr size_t kMost = 1000;
  if (known_.size() == kMost) known_.pop_back();
  known_.push_front({task, design, mapping, came});
}

}  // namespace vantage::explore
