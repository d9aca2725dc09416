#include "workload/graph_on_processor.h"

#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/network/compile_network.h"
#include "driver/runtime/executor.h"

namespace vantage::workload {

std::vector<Tensor> run_on_processor(const graph::Graph& graph, const graph::Inputs& inputs) {
  const auto processor = driver::Processor::open("cpu:");
  network::CompiledNetwork compiled =
      network::compile_network(graph::fuse_operators(graph), {.threads = processor->threads()});
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   cpu::jit(compiled.functions), *processor, nullptr);
  for (const auto& [name, value] : inputs) executor.set_input(name, value);
  executor.run();
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < executor.network().outputs.size(); ++i) outputs.push_back(executor.output(i));
  return outputs;
}

}  // namespace vantage::workload
