// --what-if: what a network or a program would take with more of something, counted by the machine.
#pragma once

#include <functional>
#include <string>

#include "base/json_fwd.h"
#include "cli/options.h"
#include "report/report.h"

namespace CLI {
class App;
}

namespace vantage::graph {
class Graph;
}

namespace vantage::cli {

// The flag; `what` is tried: "cores and memories with more of something".
void add_what_if_flag(CLI::App& app, bool& flag, const std::string& what);

// The memory of a target whose time is this project's core's. Throws Error for others, of which nobody knows what more
// of something would give.
MemoryTiming what_if_memory(const TargetOptions& target, const isa::Config& config);

// The same programs with faster memories, of which `run` counts the cycles. Throws what it throws.
report::WhatIfs memory_what_ifs(uint64_t cycles, const MemoryTiming& memory,
                                const std::function<uint64_t(const MemoryTiming&)>& run);

// A network, of its integers, parted, compiled and run anew on other cores and with other memories, by as many
// processes as there are cores. Throws Error, and Stopped (base/stop.h) after a signal.
report::WhatIfs network_what_ifs(const graph::Graph& integers, const isa::Config& config, const MemoryTiming& memory,
                                 const std::string& effort);

// Lines of at most 80 columns.
std::string what_if_text(const report::WhatIfs& what_ifs);

}  // namespace vantage::cli
