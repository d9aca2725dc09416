#include "explore/known_programs.h"

#include <algorithm>

namespace vantage::explore {

namespace {

bool is_same_but_for_scratchpads(const Design& one, const Design& other) {
  isa::ConfigKeys keys = one.config.keys();
  const isa::ConfigKeys& k = other.config.keys();
  keys.log_uop_buff_size = k.log_uop_buff_size;
  keys.log_inp_buff_size = k.log_inp_buff_size;
  keys.log_wgt_buff_size = k.log_wgt_buff_size;
  keys.log_acc_buff_size = k.log_acc_buff_size;
  return keys == k && one.memory == other.memory;
}

}  // namespace

const Evaluation* KnownPrograms::find(const ops::VtaConv2d& task, const Design& design,
                                      const ops::VtaConv2dMapping& mapping) const {
  const auto found = std::ranges::find_if(known_, [&](const Known& known) {
    return known.mapping == mapping && known.task == task && is_same_but_for_scratchpads(known.design, design) &&
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
