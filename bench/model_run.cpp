#include "bench/model_run.h"

#include <random>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "bench/stopwatch.h"
#include "compiler/backend/cpu/jit.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "workload/graph_on_processor.h"

namespace vantage::bench {

graph::Inputs seeded_inputs(const graph::Graph& model) {
  std::mt19937_64 random(1);
  graph::Inputs inputs;
  for (const uint32_t n : model.inputs()) {
    const TensorType& type = model.nodes()[n].types[0];
    Tensor value(type.dtype, type.shape);
    type.dtype.is_float() ? fill(value, random) : fill(value, random, 0, 1);
    inputs.emplace(model.nodes()[n].name, std::move(value));
  }
  return inputs;
}

ModelRun run_model(const std::string& name, const workload::PreparedNetwork& prepared, const graph::Inputs& inputs,
                   const std::string& target) {
  ModelRun run;
  const Clock::time_point compiling = Clock::now();
  const auto functions = cpu::jit(prepared.compiled.functions);
  run.code_seconds = seconds_since(compiling);
  const auto processor = driver::Processor::open("cpu:", 2);
  const auto device = driver::open_accelerator(target, *prepared.compiled.network.config);
  driver::NetworkExecutor executor(std::make_shared<const Network>(prepared.compiled.network), functions, *processor,
                                   device.get());
  run.measured = workload::measure_network(executor, inputs);
  const std::vector<Tensor> expected = workload::run_on_processor(prepared.parts.graph, inputs);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (const auto wrong = difference(expected[i], run.measured.outputs[i])) fail("{}: {}", name, *wrong);
  }
  const Clock::time_point start = Clock::now();
  run.measured = workload::measure_network(executor, inputs);
  run.seconds = seconds_since(start);
  return run;
}

}  // namespace vantage::bench
