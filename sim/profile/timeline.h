// Runs as a timeline in Chrome's trace format, which ui.perfetto.dev and chrome://tracing open: a track for each
// engine, with the instructions that it worked on, arrows for tokens, and counters of queues, of what waits to retire,
// of what the scratchpads hold, and of the bus's bytes.
#pragma once

#include <string>

#include "hw/isa/config.h"
#include "sim/profile/recorded_run.h"

namespace vantage::sim {

class Timeline {
 public:
  explicit Timeline(const isa::Config& config);

  // Adds a run behind those before it. REQUIRES: run.result.cycles
  void add(const RecordedRun& run);

  // The file's text: one JSON object with "traceEvents". Slices are named by what the instruction is ("load.inp",
  // "gemm", "alu.add", "store"). Their args give `insn`, its `assembly`, and in cycles of its run when it was
  // `dispatched` and `issued`, when the engine `began` and `ended`, and when it `retired`. What keeps no engine busy
  // (FINISH) is an instant. A token is a flow from the end of the instruction that pushed it to the begin of the one
  // that popped it, where engines worked on both, named as its queue.
  std::string json() const;

 private:
  double microseconds(uint64_t cycle) const;
  void add_instructions(const RecordedRun& run);
  void add_tokens(const RecordedRun& run);
  void add_fills(const RecordedRun& run);
  void add_changes(const std::string& name, const Changes& changes);
  void add_bus(std::span<const BusBurst> bursts);
  void add_counter(const std::string& name, uint64_t cycle, double value);
  void append(const std::string& event);

  std::string title_;
  int clock_mhz_;
  uint64_t origin_ = 0;  // cycles of the runs before
  uint64_t tokens_ = 0;  // so many flows have got a number
  std::string events_;
};

}  // namespace vantage::sim
