#include "workload/calibrate.h"

#include "base/error.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/network/compile_network.h"
#include "driver/runtime/executor.h"
#include "workload/processor_code.h"

namespace vantage::workload {

graph::Statistics calibrate(const graph::Graph& graph, const std::vector<graph::Value>& values,
                            const std::vector<graph::Inputs>& data, const std::function<void()>& done) {
  if (values.empty()) return {};
  graph::Graph observed = graph;
  observed.set_outputs(values);
  const auto processor = driver::Processor::open("cpu:");
  network::CompiledNetwork compiled =
      network::compile_network(graph::fuse_operators(std::move(observed)), {.threads = processor->threads()});
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   processor_code(compiled.functions), *processor, nullptr);
  graph::Statistics statistics;
  for (size_t set = 0; set < data.size(); ++set) {
    for (const auto& [name, value] : data[set]) executor.set_input(name, value);
    executor.run();
    for (size_t i = 0; i < values.size(); ++i) {
      try {
        statistics[values[i]].add(executor.output(i));
      } catch (const Error& error) {
        fail("calibrating with inputs {} of {}: {}: {}; integers have no scale for it", set + 1, data.size(),
             network::tensor_name(graph, values[i]), error.what());
      }
    }
    if (done) done();
  }
  return statistics;
}

}  // namespace vantage::workload
