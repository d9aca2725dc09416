// The way from fetch to the three stages: instructions are dispatched in program order, each into its stage's command
// queue, and wait there until the stage issues them. A queue that holds timing::kQueueDepth is full: it stops fetch,
// and with it every stage (docs/isa.md section 3). When what runs does not depend on time, neither does where this gets
// stuck.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "hw/isa/insn.h"

namespace vantage::isa {

class CommandQueues {
 public:
  // Fetches `insns` up to and including the first FINISH. They must outlive this.
  explicit CommandQueues(std::span<const Insn> insns);

  // The instruction that `stage` issues next, if it has been dispatched.
  std::optional<size_t> head(Stage stage) const;
  // Takes that instruction, and dispatches what there is room for. REQUIRES: head(stage)
  void issue(Stage stage);

  // Everything has been issued.
  bool empty() const;
  // The instruction that waits for room in its stage's full queue, if one does.
  std::optional<size_t> stuck() const;

 private:
  void dispatch();

  std::span<const Insn> insns_;
  size_t next_ = 0;  // to dispatch
  std::array<std::deque<uint32_t>, kAllStages.size()> queues_;
};

}  // namespace vantage::isa
