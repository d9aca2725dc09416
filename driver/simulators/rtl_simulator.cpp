#include "base/cache.h"
#include "driver/simulators/kinds.h"
#include "driver/simulators/simulator_device.h"
#include "sim/rtl/model_builder.h"
#include "sim/rtl/rtl_machine.h"

namespace vantage::driver {

AcceleratorKind rtl_simulator() {
  return {.scheme = "rtl",
          .rest = "",
          .meaning = "the core's SystemVerilog through Verilator: results, counters and cycles",
          .has_memory = true,
          .traces = "waves",
          .trace_ending = ".fst",
          .observes = true,
          .has_dram = true,
          .open = [](const std::string& uri, const isa::Config& config, const AcceleratorOptions& options) {
            const sim::ModelBuild build{default_cache(), !options.trace.empty(), options.progress};
            const auto library = sim::build_model(config, build);
            const sim::RtlOptions rtl{options.memory.value_or(MemoryTiming{}), options.trace, std::nullopt,
                                      options.observer};
            return make_simulator_device(uri, sim::make_rtl_machine(config, library, rtl),
                                         options.dram.value_or(sim::Dram::kDefaultSize));
          }};
}

}  // namespace vantage::driver
