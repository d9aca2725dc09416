#include "driver/simulators/kinds.h"
#include "driver/simulators/simulator_device.h"
#include "sim/functional/functional_machine.h"

namespace vantage::driver {

AcceleratorKind functional_simulator() {
  return {.scheme = "fsim",
          .rest = "",
          .meaning = "functional simulator: results and counters, no time",
          .has_dram = true,
          .open = [](const std::string& uri, const isa::Config& config, const AcceleratorOptions& options) {
            return make_simulator_device(uri, sim::make_functional_machine(config),
                                         options.dram.value_or(sim::Dram::kDefaultSize));
          }};
}

}  // namespace vantage::driver
