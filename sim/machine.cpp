#include "sim/machine.h"

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

}  // namespace vantage::sim
