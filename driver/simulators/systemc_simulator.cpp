#include "driver/simulators/kinds.h"
#include "driver/simulators/simulator_device.h"
#include "sim/systemc/systemc_machine.h"

namespace vantage::driver {

AcceleratorKind systemc_simulator() {
  return {.scheme = "systemc",
          .rest = "",
          .meaning = "cycle-accurate simulator in SystemC: results, counters and the RTL's cycles",
          .has_memory = true,
          .traces = "a timeline",
          .trace_ending = ".json",
          .has_vcd = true,
          .observes = true,
          .has_dram = true,
          .open = [](const std::string& uri, const isa::Config& config, const AcceleratorOptions& options) {
            const sim::SystemCOptions systemc{options.memory.value_or(MemoryTiming{}), options.trace, options.vcd,
                                              options.observer};
            return make_simulator_device(uri, sim::make_systemc_machine(config, systemc),
                                         options.dram.value_or(sim::Dram::kDefaultSize));
          }};
}

}  // namespace vantage::driver
