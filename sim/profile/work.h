// How many operations a workload needs and how many an accelerator executes for it. The two differ by padding: tiles of
// the GEMM core and elements of the ALU are whole, whatever the workload's sizes are.
//
// Operations are two for each multiply-accumulate. A workload that multiplies nothing is counted in operations of the
// ALU, one for each value.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/config.h"
#include "hw/isa/counters.h"

namespace vantage::sim {

// What a workload needs; workload/useful_work.h makes it.
struct Work {
  uint64_t useful = 0;                // operations of its formula
  uint64_t in_tiles = 0;              // the same with every size filled up to whole tiles
  std::vector<std::string> paddings;  // what is filled up, the worst first: "3 input channels on a block of 16"
};

// Adds work that followed. Paddings are those of the part that loses most by them.
Work& operator+=(Work& total, const Work& next);

// What was executed, padding included: the GEMM core's operations, or the ALU's when the GEMM core had nothing to do.
struct Executed {
  uint64_t operations = 0;
  bool by_alu = false;
};
Executed executed(const isa::Config& config, const isa::Counters& counters);

// The share of the executed operations that the workload did not need, 0 to 1: what fills its tiles.
double padding_share(const Work& work, const Executed& executed);
// The share of the workload's operations that its program left out, 0 to 1: those with zeros around an image.
double left_out_share(const Work& work, const Executed& executed);

}  // namespace vantage::sim
