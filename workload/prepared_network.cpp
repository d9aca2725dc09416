#include "workload/prepared_network.h"

#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/passes/pass_list.h"
#include "workload/calibrate.h"

namespace vantage::workload {

PreparedNetwork prepare_network(graph::Graph model, const std::vector<graph::Inputs>& calibration,
                                const PrepareOptions& options) {
  const auto begin = [&](const char* what) {
    if (options.progress) options.progress(what);
  };
  begin("simplifying the network");
  graph::Graph floats = passes::run_passes(std::move(model), graph::simplifying_passes());
  begin("calibrating");
  const graph::Statistics statistics = calibrate(floats, graph::values_to_observe(floats), calibration);
  begin("quantizing");
  graph::QuantizedGraph integers = graph::quantize(floats, statistics, options.quantize);
  begin("compiling");
  network::Partitioned parts =
      network::partition_for_vta(integers.graph, *options.compile.config, {.memory = options.compile.memory});
  parts.graph = graph::fuse_operators(std::move(parts.graph));
  network::CompiledNetwork compiled = network::compile_network(parts.graph, options.compile);
  return {std::move(floats), std::move(integers), std::move(parts), std::move(compiled)};
}

}  // namespace vantage::workload
