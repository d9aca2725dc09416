// What the subcommands of `run` that check a single layer share: their options, and how a run is told.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/energy_option.h"
#include "cli/options.h"
#include "cli/report_options.h"
#include "driver/runtime/recorder.h"
#include "sim/profile/work.h"
#include "workload/mapping_search.h"

namespace vantage::cli {

struct WorkloadArguments {
  ConfigOption config;
  TargetOptions target{"systemc:"};
  uint64_t seed = 1;
  std::string record;
  EnergyOption energy;
  ReportOptions html;
  bool json = false;

  // --config, --target and what belongs to it, --seed, --record, --energy, --html and --json.
  void add_to(CLI::App& app);
  // Reads the energies, and throws Error when that fails, or when files to be written, these and `others` by their
  // options, cannot be or are the same.
  void check(std::vector<std::pair<std::string, std::string>> others = {});
};

// A run as it ended.
struct WorkloadReport {
  Json workload;                  // name, sizes and choices, for --json
  std::string title;              // the same for people: "conv C2", which target and configuration follow
  std::string details;            // more lines, each with its end, or none
  std::string explanation;        // the same behind the table
  std::optional<sim::Work> work;  // what it needs
  std::optional<report::WhatIfs> what_ifs = {};
  // For a page alone.
  std::optional<workload::Traffic> least = {};  // bytes that would do
  std::optional<vta::Bound> bound = {};         // of cycles, where the target has those of this project's core
  std::string mapping = {};                     // how it is tiled
  std::string success;                          // the last line when the result is right
  std::string difference;                       // empty when it is
};

// Prints it, on standard output or, what is wrong, standard error. The exit status: 0 or 1.
int report_workload(const WorkloadArguments& arguments, const isa::Config& config, const driver::RunResult& result,
                    const WorkloadReport& report);

}  // namespace vantage::cli
