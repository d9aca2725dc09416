#include "driver/simulators/kinds.h"

#include "driver/simulators/simulator_device.h"
#include "hw/spec/cache.h"
#include "sim/functional/functional_machine.h"
#include "sim/rtl/model_builder.h"
#include "sim/rtl/rtl_machine.h"
#include "sim/systemc/systemc_machine.h"

namespace vantage::driver {

namespace {

Bytes dram_size(const AcceleratorOptions& options) {
  return options.dram.value_or(sim::Dram::kFullSize);
}

}  // namespace

AcceleratorKind functional_simulator() {
  return {.scheme = "fsim",
          .rest = "",
          .meaning = "functional simulator: results and counters, no time",
          .has_dram = true,
          .open = [](const std::string& uri, const spec::Config& config, const AcceleratorOptions& options) {
            return make_simulator_device(uri, sim::make_functional_machine(config), dram_size(options));
          }};
}

AcceleratorKind systemc_simulator() {
  return {.scheme = "systemc",
          .rest = "",
          .meaning = "cycle-accurate simulator in SystemC: results, counters and the RTL's cycles",
          .has_memory = true,
          .traces = "a timeline",
          .has_vcd = true,
          .has_dram = true,
          .open = [](const std::string& uri, const spec::Config& config, const AcceleratorOptions& options) {
            const sim::SystemCOptions systemc{options.memory.value_or(sim::MemoryTiming{}), options.trace, options.vcd};
            return make_simulator_device(uri, sim::make_systemc_machine(config, systemc), dram_size(options));
          }};
}

AcceleratorKind rtl_simulator() {
  return {.scheme = "rtl",
          .rest = "",
          .meaning = "the core's SystemVerilog through Verilator: results, counters and cycles",
          .has_memory = true,
          .traces = "waves",
          .has_dram = true,
          .open = [](const std::string& uri, const spec::Config& config, const AcceleratorOptions& options) {
            const sim::ModelBuild build{default_cache(), !options.trace.empty(), options.progress};
            const auto library = sim::build_model(config, build);
            const sim::RtlOptions rtl{options.memory.value_or(sim::MemoryTiming{}), options.trace};
            return make_simulator_device(uri, sim::make_rtl_machine(config, library, rtl), dram_size(options));
          }};
}

}  // namespace vantage::driver
