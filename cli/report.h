// What a run prints: its counters, as a table for people or as one JSON object (docs/json.md).
#pragma once

#include <optional>
#include <string>

#include "base/json_fwd.h"
#include "cli/energy_option.h"
#include "hw/isa/config.h"
#include "sim/machine.h"
#include "sim/profile/work.h"

namespace vantage::cli {

// What a run's result does not say of it.
struct RunFacts {
  std::string memory = {};             // TargetOptions::memory_name()
  std::optional<sim::Work> work = {};  // that the workload needs; of a program alone nobody knows
  EnergyReport energy = {};            // where it was asked for
};

// The object that run and replay print: ok, target, config, counters, operations and, on targets that have time, clock,
// memory, cycles, stages and what they amount to.
Json report_json(bool ok, const std::string& target, const isa::Config& config, const sim::RunResult& result,
                 const RunFacts& facts = {});

// "on systemc: 1x16_i8w8a32_15_15_18_17 at 100 MHz, memory m64", with a line's end.
std::string setup_line(const std::string& target, const isa::Config& config, const sim::RunResult& result,
                       const RunFacts& facts = {});

// One line per counter; where there is time, cycles, a table of what each stage did in them, and what held the run
// back. At most 80 columns.
std::string run_table(const isa::Config& config, const sim::RunResult& result, const RunFacts& facts = {});

// Warnings of a run, to stderr.
void print_warnings(const sim::RunResult& result);

}  // namespace vantage::cli
