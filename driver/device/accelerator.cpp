#include "driver/device/accelerator.h"

#include <functional>

#include "driver/device/processor.h"
#include "driver/device/simulator_device.h"
#include "hw/spec/cache.h"
#include "hw/spec/error.h"
#include "hw/spec/suggest.h"
#include "sim/functional/functional_machine.h"
#include "sim/rtl/model_builder.h"
#include "sim/rtl/rtl_machine.h"
#include "sim/systemc/systemc_machine.h"

namespace vantage::driver {

namespace {

// One row per kind: the only list to extend for a new device.
struct Entry {
  DeviceKind kind;
  bool has_memory;     // AcceleratorOptions::memory means something
  std::string traces;  // what AcceleratorOptions::trace records, empty: nothing
  bool has_vcd;        // AcceleratorOptions::vcd means something
  std::function<std::unique_ptr<Accelerator>(std::string uri, const spec::Config&, const AcceleratorOptions&)> open;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> kEntries = {
      {{"fsim", "functional simulator: results and counters, no time"},
       false,
       "",
       false,
       [](std::string uri, const spec::Config& config, const AcceleratorOptions&) {
         return make_simulator_device(std::move(uri), sim::make_functional_machine(config));
       }},
      {{"systemc", "cycle-accurate simulator in SystemC: results, counters and the RTL's cycles"},
       true,
       "a timeline",
       true,
       [](std::string uri, const spec::Config& config, const AcceleratorOptions& options) {
         const sim::SystemCOptions systemc{options.memory.value_or(sim::MemoryTiming{}), options.trace, options.vcd};
         return make_simulator_device(std::move(uri), sim::make_systemc_machine(config, systemc));
       }},
      {{"rtl", "the core's SystemVerilog through Verilator: results, counters and cycles"},
       true,
       "waves",
       false,
       [](std::string uri, const spec::Config& config, const AcceleratorOptions& options) {
         const sim::ModelBuild build{default_cache(), !options.trace.empty(), options.progress};
         const auto library = sim::build_model(config, build);
         const sim::RtlOptions rtl{options.memory.value_or(sim::MemoryTiming{}), options.trace};
         return make_simulator_device(std::move(uri), sim::make_rtl_machine(config, library, rtl));
       }},
  };
  return kEntries;
}

}  // namespace

const std::vector<DeviceKind>& accelerator_kinds() {
  static const std::vector<DeviceKind> kKinds = [] {
    std::vector<DeviceKind> kinds;
    for (const Entry& entry : entries()) kinds.push_back(entry.kind);
    return kinds;
  }();
  return kKinds;
}

std::unique_ptr<Accelerator> Accelerator::open(std::string_view uri, const spec::Config& config,
                                               const AcceleratorOptions& options) {
  const size_t colon = uri.find(':');
  const std::string_view scheme = uri.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : uri.substr(colon + 1);
  for (const Entry& entry : entries()) {
    if (entry.kind.scheme != scheme) continue;
    if (colon == std::string_view::npos) break;
    if (!rest.empty()) fail("target '{}': nothing may follow '{}:'", uri, scheme);
    if (options.memory && !entry.has_memory)
      fail("target '{}' has no time, so memory settings mean nothing to it", uri);
    if (!options.trace.empty() && entry.traces.empty()) {
      fail("target '{}' records no trace, so {} would never be written", uri, options.trace.string());
    }
    if (!options.vcd.empty() && !entry.has_vcd) {
      fail("target '{}' writes no VCD, so {} would never be written; systemc: does", uri, options.vcd.string());
    }
    return entry.open(std::string(uri), config, options);
  }
  for (const DeviceKind& kind : processor_kinds()) {
    if (kind.scheme + ":" == uri) {
      fail("target '{}' is a processor, which runs no programs of an accelerator; `vantage compare` measures both",
           uri);
    }
  }
  std::vector<std::string> schemes;
  for (const Entry& entry : entries()) schemes.push_back(entry.kind.scheme + ":");
  fail("target '{}' is no device URI{}", uri, did_you_mean(uri, schemes));
}

}  // namespace vantage::driver
