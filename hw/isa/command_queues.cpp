#include "hw/isa/command_queues.h"

#include <algorithm>

#include "base/error.h"
#include "hw/isa/timing.h"

namespace vantage::isa {

CommandQueues::CommandQueues(std::span<const Insn> insns) {
  const auto finish =
      std::find_if(insns.begin(), insns.end(), [](const Insn& i) { return std::holds_alternative<Finish>(i); });
  const auto count = static_cast<size_t>(finish - insns.begin()) + (finish == insns.end() ? 0 : 1);
  insns_ = insns.first(count);
  dispatch();
}

std::optional<size_t> CommandQueues::head(Stage stage) const {
  const auto& queue = queues_[static_cast<size_t>(stage)];
  if (queue.empty()) return std::nullopt;
  return queue.front();
}

void CommandQueues::issue(Stage stage) {
  auto& queue = queues_[static_cast<size_t>(stage)];
  VANTAGE_CHECK(!queue.empty());
  queue.pop_front();
  dispatch();
}

bool CommandQueues::empty() const {
  return next_ == insns_.size() && std::all_of(queues_.begin(), queues_.end(), [](const auto& q) { return q.empty(); });
}

std::optional<size_t> CommandQueues::stuck() const {
  if (next_ == insns_.size()) return std::nullopt;
  return next_;
}

void CommandQueues::dispatch() {
  for (; next_ < insns_.size(); ++next_) {
    auto& queue = queues_[static_cast<size_t>(stage(insns_[next_]))];
    if (queue.size() == timing::kQueueDepth) return;
    queue.push_back(static_cast<uint32_t>(next_));
  }
}

}  // namespace vantage::isa
