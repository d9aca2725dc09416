#include "report/layers.h"

#include "sim/profile/summary.h"
#include "workload/roofline.h"

namespace vantage::report {

Layer layer_of(const std::string& name, const isa::Config& config, const sim::RunResult& result,
               const sim::Work* work) {
  Layer layer;
  layer.name = name;
  layer.device = "vta";
  layer.moved = workload::moved(result.counters);
  layer.bytes = layer.moved->total();
  if (work != nullptr) layer.useful = work->useful;
  layer.executed = sim::executed(config, result.counters).operations;
  if (!result.cycles || result.cycles->count() == 0) return layer;
  const sim::Summary summary = sim::summarize(config, result, work);
  layer.cycles = result.cycles->count();
  layer.seconds = summary.seconds;
  layer.stages = result.stages;
  layer.bottleneck = summary.bottleneck;
  return layer;
}

std::vector<Layer> layers_of(const Network& network, const workload::NetworkMeasurement& measured) {
  std::vector<Layer> layers;
  for (const workload::LayerMeasurement& m : measured.layers) {
    Layer layer;
    if (m.run) {
      // Of what multiplies nothing the estimates know no work
      const sim::Work work{2 * m.useful, 2 * m.padded, {}};
      layer = layer_of(m.name, *network.config, *m.run, m.useful != 0 ? &work : nullptr);
      layer.least = m.least;
      layer.bound = m.bound;
      layer.binds = m.binds;
    }
    layer.name = m.name;
    layer.op = m.op;
    layer.device = m.device;
    layer.start_seconds = m.start;
    layer.seconds = m.seconds;
    layer.bytes = m.bytes.count();
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::string bottleneck_of(const Network& network, const workload::NetworkMeasurement& measured) {
  std::optional<sim::RunResult> total;
  sim::Work work;
  for (const workload::LayerMeasurement& m : measured.layers) {
    if (!m.run || !m.run->cycles) continue;
    if (total)
      *total += *m.run;
    else
      total = m.run;
    work += {2 * m.useful, 2 * m.padded, {}};
  }
  if (!total || total->cycles->count() == 0) return "";
  return sim::summarize(*network.config, *total, work.useful != 0 ? &work : nullptr).bottleneck;
}

void set_accelerator(Report& report, const isa::Config& config, const std::optional<MemoryTiming>& memory,
                     double clock_mhz) {
  const workload::Roofline best = workload::accelerator_roofline(config, clock_mhz, memory);
  report.config = config;
  report.clock_mhz = clock_mhz;
  report.operations_per_second = best.operations;
  report.bytes_per_second = best.bytes;
}

}  // namespace vantage::report
