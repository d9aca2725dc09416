#include "sim/published/published_machine.h"

#include "driver/simulators/kinds.h"
#include "driver/simulators/simulator_device.h"

namespace vantage::driver {

namespace {

constexpr const char* kDefault = "pynq-z1-1x16";

}  // namespace

AcceleratorKind published_machine() {
  return {.scheme = "published",
          .rest = "[MACHINE]",
          .meaning = "a bitstream that was published: results, counters and a model's cycles",
          .traces = "a timeline",
          .trace_ending = ".json",
          .has_vcd = true,
          .observes = true,
          .has_dram = true,
          .open = [](const std::string& uri, const isa::Config& config, const AcceleratorOptions& options) {
            const std::string machine = uri.substr(uri.find(':') + 1);
            const auto timing = sim::PublishedTiming::find(machine.empty() ? kDefault : machine);
            sim::PublishedOptions published{timing, options.trace, options.vcd, options.observer};
            return make_simulator_device(uri, sim::make_published_machine(config, std::move(published)),
                                         options.dram.value_or(sim::Dram::kDefaultSize));
          }};
}

}  // namespace vantage::driver
