// What a page about a run is made of, and the JSON document that says it (docs/report.md). Measuring is done before;
// nothing here runs anything.
//
// Thread safety: values, and functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "hw/isa/config.h"
#include "report/run_trace.h"
#include "sim/machine.h"
#include "workload/traffic.h"
#include "workload/what_if.h"

namespace vantage::report {

struct Layer {
  std::string name, op, device;  // "conv2d_3", "conv2d", "vta"
  double start_seconds = 0;      // since the run began; layers of two devices may overlap
  double seconds = 0;
  std::optional<uint64_t> cycles;            // of accelerators that have time
  std::optional<uint64_t> bound;             // cycles that no schedule takes fewer than
  std::string binds;                         // what says so: "the reads"
  std::optional<uint64_t> useful, executed;  // operations; of a program alone nobody knows how many are useful
  uint64_t bytes = 0;                        // over the bus, or of all operands of a processor's function
  std::optional<workload::Traffic> moved;    // of accelerators
  std::optional<workload::Traffic> least;    // what would do
  std::vector<sim::StageCycles> stages;      // by isa::Stage
  std::string bottleneck;                    // a sentence
};

struct WhatIfs {
  uint64_t cycles = 0;  // as it is, come by like the others
  std::vector<workload::WhatIf> all = {};
  // How, in a sentence
  std::string how =
      "Each is the best mapping that a quick search finds on that core, weighed by the machine's own timing.";
};
Json to_json(const WhatIfs& what_ifs);

struct Report {
  std::string title;                                       // "gemm 16x64 . 64x64"
  std::string made_by;                                     // "vantage 0.1.0"
  std::string target;                                      // "systemc:"
  std::string memory;                                      // its setting's name; empty: none
  std::optional<isa::Config> config;                       // of the accelerator, where there is one
  double clock_mhz = 0;                                    // that its cycles are of
  double operations_per_second = 0, bytes_per_second = 0;  // at best, with that memory
  std::vector<std::pair<std::string, std::string>> facts;  // more lines about it: {"mapping", "tiles of ..."}
  std::vector<Layer> layers;
  std::optional<double> seconds;  // from begin to end
  std::string bottleneck;         // a sentence or two on all of it; empty: nothing to say
  std::optional<WhatIfs> what_ifs;
  Json energy = {};  // by component, as energy::to_json() makes it; null: nobody asked
};

// `timeline`: of the layers that ran on the accelerator, in order; null: nothing was recorded. The instructions take as
// much room as is left of `limit` bytes.
Json document(const Report& report, const RunTrace* timeline, size_t limit);

}  // namespace vantage::report
