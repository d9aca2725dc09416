// What a run prints: its counters, as a table for people or as one JSON object (docs/json.md).
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "hw/isa/config.h"
#include "sim/machine.h"

namespace vantage::cli {

// The object that run and replay print: ok, target, config, counters and, on targets that have time, cycles, stages and
// what they amount to.
Json report_json(bool ok, const std::string& target, const isa::Config& config, const sim::RunResult& result);

// One line per counter; where there is time, cycles, a table of what each stage did in them, and what held the run
// back.
std::string run_table(const isa::Config& config, const sim::RunResult& result);

// Warnings of a run, to stderr.
void print_warnings(const sim::RunResult& result);

}  // namespace vantage::cli
