// Runs as a timeline in Chrome's trace format, which ui.perfetto.dev and chrome://tracing open: a track of instructions
// for each stage, the fill of every queue, the bus's bytes per cycle.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "hw/isa/config.h"
#include "sim/machine.h"

namespace vantage::sim {

// A burst on the bus: the cycles of its first and last beat, and its bytes, whole beats.
struct BusBurst {
  Cycles first, last;
  Bytes bytes;
  bool is_write;
};

class Timeline {
 public:
  explicit Timeline(const isa::Config& config);

  // Adds a run behind those before it. `insns` are the program's, by the index that retire records have. `bursts` are
  // in the order of time, each direction for itself.
  void add(const RunResult& result, std::span<const isa::Insn> insns, std::span<const BusBurst> bursts);

  // The file's text: one JSON object with "traceEvents". Slices are named by the instruction's assembly; their args
  // give `insn`, and `dispatched`, `start`, `end` in cycles of its run.
  std::string json() const;

 private:
  // Instructions that overlap lie in lanes below each other.
  struct Lane {
    uint64_t free_from = 0;
  };

  double microseconds(uint64_t cycle) const;
  void add_slices(const RunResult& result, std::span<const isa::Insn> insns);
  void add_queues(const RunResult& result, std::span<const isa::Insn> insns);
  void add_bus(std::span<const BusBurst> bursts);
  void add_counter(const std::string& name, uint64_t cycle, double value);
  void append(const std::string& event);

  std::string title_;
  int clock_mhz_;
  uint64_t origin_ = 0;  // cycles of the runs before
  std::array<std::vector<Lane>, isa::kAllStages.size()> lanes_;
  std::string events_;
};

}  // namespace vantage::sim
