// Sends each instruction to its stage's command queue, in program order. A queue that is full stops everything behind.
#pragma once

#include <array>
#include <optional>

#include "sim/systemc/command_queue.h"
#include "sim/systemc/run_control.h"

namespace vantage::systemc {

class Dispatch : public sc_core::sc_module {
 public:
  // `queues`: by isa::Stage.
  Dispatch(sc_core::sc_module_name name, RunControl& control, const std::array<CommandQueue*, 3>& queues)
      : sc_module(name), control_(control), queues_(queues) {}

  void restart() { stuck_.reset(); }

  enum class Outcome : uint8_t { kDispatched, kFinished, kStuck, kIllegal };

  // The instruction with these bits comes in cycle `at`, maybe ahead of time. kStuck: its queue has no room yet.
  // kIllegal: its bits are none, `error` says why.
  Outcome offer(const isa::Words& words, uint32_t index, Cycle at, std::string& error);

  // Since when the next instruction waits for room in its stage's queue.
  struct Stuck {
    Command command;
    Cycle since;
  };
  const std::optional<Stuck>& stuck() const { return stuck_; }

 private:
  RunControl& control_;
  std::array<CommandQueue*, 3> queues_;
  std::optional<Stuck> stuck_;
};

}  // namespace vantage::systemc
