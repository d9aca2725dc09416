#include "base/error.h"
#include "workload/conv_layer.h"
#include "workload/measure.h"
#include "workload/useful_work.h"

namespace vantage::workload {

Measurement measure_on_accelerator(const Comparison& c, driver::Accelerator& device,
                                   const std::function<ops::VtaConv2dMapping(const Conv2dShape&)>& mapping,
                                   const std::optional<MemoryTiming>& memory) {
  const Workload& w = c.workload;
  const isa::Config& config = device.config();
  VANTAGE_CHECK(w.dtype == kInt8);
  ConvLayer layer(device, w.name, w.shape, w.epilogue, c.operands.weights, c.operands.bias, mapping);
  const auto output = layer.run(c.operands.inputs, false);

  Measurement m{.workload = w.name, .target = device.uri(), .dtype = name(w.dtype)};
  m.config = config.name();
  m.clock_mhz = sim::clock_mhz(config, output.result);
  const isa::Counters& counters = output.result.counters;
  m.useful_operations = useful_work(w.shape, config).useful;
  m.executed_operations = sim::executed(config, counters).operations;
  m.bytes = Bytes(counters.inp_load_nbytes + counters.wgt_load_nbytes + counters.acc_load_nbytes +
                  counters.uop_load_nbytes + counters.out_store_nbytes);
  if (output.result.cycles) {
    m.cycles = output.result.cycles;
    m.host_cycles = output.result.host_cycles;
    m.seconds = static_cast<double>(m.cycles->count()) / (1e6 * m.clock_mhz);
    if (memory) m.memory = memory->name;
    m.roofline = accelerator_roofline(config, m.clock_mhz, memory);
  }
  m.run = output.result;
  m.difference =
      finished_difference(w, c.operands, c.expected, output.values.permuted({0, 2, 3, 1}), config.acc_bits());
  return m;
}

}  // namespace vantage::workload
