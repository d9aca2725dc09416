// The functional simulator: results and counters, no time. It runs any valid configuration chosen at run time. Stages
// run concurrently in the sense of docs/isa.md: any order that the tokens allow, one instruction at a time.
#pragma once

#include <memory>

#include "sim/machine.h"

namespace vantage::sim {

// Thread safety: none; one machine per thread.
std::unique_ptr<Machine> make_functional_machine(const isa::Config& config);

}  // namespace vantage::sim
