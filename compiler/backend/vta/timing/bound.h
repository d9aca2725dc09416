// What no schedule can beat: the cycles that a given amount of work takes at least on this core with this memory. Each
// engine must do its share of it, a step or a beat at a time; before its first one comes what it waits for, and behind
// its last one what must still follow. All of it are sums over hw/isa/timing.h and the memory's setting.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::vta {

// What every schedule of something must do. Results are accumulators that are stored.
struct Work {
  int64_t gemm_steps = 0;         // none: the ALU works on what is loaded into accumulators
  int64_t gemm_steps_behind = 0;  // of those, behind the last beat that is read
  int64_t sum_steps = 0;          // GEMM steps that one result takes
  int64_t results = 0;            // of sums
  int64_t resets = 0;             // ALU steps before sums, which need no data, or a bias at most
  int64_t first_steps = 1;        // of those, what one result takes
  int64_t alu_steps = 0;          // that need sums or what is loaded, reads of sources included
  int64_t result_steps = 0;       // ALU steps that one result takes at least
  int64_t read_beats = 0;
  // Stretches of so many bytes that nobody needs, each between two that are needed: a burst reads one as well, or ends
  // before it.
  int64_t gaps = 0, gap_bytes = 0;
  int64_t first_beats = 0;  // of read_beats, before the first step that needs data
  int64_t store_beats = 0;
  int64_t last_beats = 0;  // of those, of the last result
  // Before beat number `beats` of what is read has come, so many GEMM steps and results are possible at the most.
  struct Reach {
    int64_t beats, gemm_steps, results;
  };
  std::vector<Reach> reach;
};

// Cycles of a run that each engine asks for, from its start to its end.
struct Bound {
  int64_t gemm = 0, vector = 0, read = 0, store = 0;

  int64_t cycles() const;
  // Which of them it is: "GEMM core", "ALU", "reads" or "writes".
  std::string_view binds() const;
};
Bound bound_of(const Work& work, const isa::Config& config, const MemoryTiming& memory);

}  // namespace vantage::vta
