#include "tests/driver/cuda/network_on_gpu.h"

#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "driver/cuda/gpu_functions.h"

namespace vantage::test {

namespace {

network::CompiledNetwork compiled_for_gpu(const graph::Graph& floats) {
  return network::compile_network(graph::fuse_operators(floats), {.is_for_gpu = true});
}

std::vector<ir::PrimFunc> scheduled_for_gpu(const std::vector<ir::PrimFunc>& definitions) {
  std::vector<ir::PrimFunc> scheduled;
  for (const ir::PrimFunc& function : definitions) {
    scheduled.push_back(ops::schedule_for_gpu(function, cuda::find_architecture("sm_80")).function());
  }
  return scheduled;
}

}  // namespace

RunningNetwork::RunningNetwork(const Network& network, GpuFunctions code, const driver::CudaOptions& options)
    : functions(driver::functions_on_gpu(driver::Cuda::open("cuda:", options))) {
  functions->load_programs(std::move(code));
  executor = std::make_unique<driver::NetworkExecutor>(std::make_shared<const Network>(network), *functions, nullptr);
}

void RunningNetwork::give(const graph::Inputs& inputs) const {
  for (const auto& [name, value] : inputs) executor->set_input(name, value);
}

std::vector<Tensor> RunningNetwork::outputs() const {
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < executor->network().outputs.size(); ++i) outputs.push_back(executor->output(i));
  return outputs;
}

std::vector<Tensor> RunningNetwork::run(const graph::Inputs& inputs) const {
  give(inputs);
  executor->run();
  return outputs();
}

std::vector<Tensor> RunningNetwork::step(const graph::Inputs& inputs) const {
  give(inputs);
  executor->run([](const driver::StepRun&) {});
  return outputs();
}

NetworkForGpu::NetworkForGpu(const graph::Graph& floats)
    : compiled_(compiled_for_gpu(floats)), programs_(scheduled_for_gpu(compiled_.definitions)) {}

GpuFunctions NetworkForGpu::code(const driver::CudaOptions& options) const {
  GpuFunctions code;
  for (size_t i = 0; i < compiled_.definitions.size(); ++i) code.push_back(programs_.get(i, options));
  return code;
}

ModelArchive NetworkForGpu::archive(const driver::CudaOptions& options) const {
  ModelArchive archive;
  archive.network = network();
  archive.graph = to_text(graph());
  archive.gpu_code.push_back(code(options));
  return archive;
}

}  // namespace vantage::test
