#include "sim/systemc/dispatch.h"

namespace vantage::systemc {

Dispatch::Outcome Dispatch::offer(const isa::Words& words, uint32_t index, Cycle at, std::string& error) {
  isa::Decoded decoded = control_.context().codec.decode(words);
  if (!decoded.insn) {
    error = std::move(decoded.error);
    return Outcome::kIllegal;
  }
  Command command{index, std::move(*decoded.insn), at};
  const bool finishes = std::holds_alternative<isa::Finish>(command.insn);
  CommandQueue& queue = *queues_[static_cast<size_t>(isa::stage(command.insn))];
  if (!queue.has_room()) {
    if (!stuck_) stuck_ = {std::move(command), at};
    return Outcome::kStuck;
  }
  stuck_.reset();
  control_.dispatched(command);
  queue.push(std::move(command));
  return finishes ? Outcome::kFinished : Outcome::kDispatched;
}

}  // namespace vantage::systemc
