#include "sim/machine.h"

#include <algorithm>

namespace vantage::sim {

std::string_view name(RunStatus status) {
  switch (status) {
    case RunStatus::kDone: return "done";
    case RunStatus::kRefused: return "refused";
    case RunStatus::kDeadlock: return "deadlock";
    case RunStatus::kStepLimit: return "step limit";
  }
  return "?";
}

RunResult& operator+=(RunResult& total, const RunResult& next) {
  total.counters += next.counters;
  if (next.cycles) total.cycles = total.cycles.value_or(Cycles(0)) + *next.cycles;
  total.stages.resize(std::max(total.stages.size(), next.stages.size()));
  for (size_t s = 0; s < next.stages.size(); ++s) {
    total.stages[s].busy += next.stages[s].busy;
    total.stages[s].token_wait += next.stages[s].token_wait;
    total.stages[s].memory_wait += next.stages[s].memory_wait;
    total.stages[s].idle += next.stages[s].idle;
  }
  total.warnings.insert(total.warnings.end(), next.warnings.begin(), next.warnings.end());
  return total;
}

}  // namespace vantage::sim
