#include "bench/gpu_networks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "bench/gpu_compiler.h"
#include "bench/gpu_model.h"
#include "bench/model_run.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/network/gpu_functions.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "driver/cuda/gpu_functions.h"
#include "driver/cuda/gpu_library.h"
#include "driver/cuda/gpu_tensor.h"
#include "driver/runtime/executor.h"
#include "frontend/models/models.h"
#include "workload/prepared_network.h"

namespace vantage::bench {

namespace {

using driver::GpuLibrary;
using driver::GpuTensor;
using graph::Node;

// Of a turn of a loop that makes products in tiles.
constexpr int64_t kManyMultiplies = 16;
constexpr driver::TimeOptions kTime = {.number = 1, .repeat = 11, .min_ms = 5};

std::vector<Tensor> outputs_of(driver::NetworkExecutor& executor, const graph::Inputs& inputs) {
  for (const auto& [name, value] : inputs) executor.set_input(name, value);
  executor.run();
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < executor.network().outputs.size(); ++i) outputs.push_back(executor.output(i));
  return outputs;
}

std::vector<Tensor> by_processor(const GpuNetwork& network, const graph::Inputs& inputs) {
  const auto processor = driver::Processor::open("cpu:");
  network::CompiledNetwork compiled =
      network::compile_network(graph::fuse_operators(network.graph), {.threads = processor->threads()});
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   cpu::jit(compiled.functions), *processor, nullptr);
  return outputs_of(executor, inputs);
}

Tensor uniform(const TensorType& type) {
  Tensor tensor(type.dtype, type.shape);
  std::mt19937_64 random(1);
  fill(tensor, random);
  return tensor;
}

double seconds_of(GpuLibrary& cudnn, const Node& node, const graph::Graph& graph) {
  const TensorType &x = graph.type(node.inputs[0]), &weight = graph.type(node.inputs[1]);
  const auto &strides = node.attributes.integers("strides"), &padding = node.attributes.integers("padding"),
             &dilation = node.attributes.integers("dilation");
  if (node.attributes.integer("groups") != 1) fail("{}: convolutions in groups are not compared", node.name);
  Conv2dShape shape;
  shape.batch = x.shape[0];
  shape.in_channels = x.shape[1];
  shape.height = x.shape[2];
  shape.width = x.shape[3];
  shape.out_channels = weight.shape[0];
  shape.kernel_h = weight.shape[2];
  shape.kernel_w = weight.shape[3];
  shape.stride = {strides[0], strides[1]};
  shape.pad = {padding[0], padding[1], padding[2], padding[3]};
  shape.dilation = {dilation[0], dilation[1]};
  const GpuTensor images(cudnn.gpu(), uniform({kFloat32, {shape.batch, shape.height, shape.width, shape.in_channels}}));
  const GpuTensor result(cudnn.gpu(), kFloat32,
                         {shape.batch, shape.out_height(), shape.out_width(), shape.out_channels});
  return cudnn.conv2d(shape, uniform(weight), {images.tensor(), result.tensor()})->time(kTime).median();
}

double seconds_of_dense(GpuLibrary& cublas, const Node& node, const graph::Graph& graph) {
  const TensorType &x = graph.type(node.inputs[0]), &weight = graph.type(node.inputs[1]);
  MatmulShape shape;
  shape.n = weight.shape[0];
  shape.k = weight.shape[1];
  shape.m = x.size() / shape.k;
  shape.dtype = kFloat32;
  shape.transpose_b = true;
  const GpuTensor a(cublas.gpu(), uniform({kFloat32, {shape.m, shape.k}})), b(cublas.gpu(), uniform(weight)),
      c(cublas.gpu(), kFloat32, {shape.m, shape.n});
  return cublas.matmul(shape, {a.tensor(), b.tensor(), c.tensor()})->time(kTime).median();
}

}  // namespace

GpuNetwork gpu_network(const std::string& name, const cuda::Architecture& architecture) {
  const auto nvrtc = gpu_compiler();
  graph::Graph graph = workload::simplified(models::find_model(name).build(models::seeded_weights(1)));
  network::CompiledNetwork compiled = network::compile_network(graph::fuse_operators(graph), {.is_for_gpu = true});
  GpuNetwork result{name, std::move(graph), std::move(compiled), {}};
  result.programs = network::compile_for_gpu(result.compiled.definitions, architecture, *nvrtc);
  for (const NetworkStep& step : result.compiled.network.steps) {
    result.launches += static_cast<int64_t>(result.programs.at(step.code).launches.size());
    result.model_cycles += modelled_cycles(result.compiled.definitions.at(step.code), architecture);
  }
  for (const ir::PrimFunc& definition : result.compiled.definitions) {
    const cuda::Module module =
        cuda::split_kernels(cuda::lower(ops::schedule_for_gpu(definition, architecture).function()));
    std::vector<cuda::KernelCode> codes;
    for (const cuda::Kernel& kernel : module.kernels) {
      codes.push_back(cuda::write_kernel(kernel));
      result.banks.add(kernel, codes.back());
    }
    const cuda::GpuCode code =
        nvrtc->compile(cuda::write_source(codes), definition.name, {.architecture = architecture.name});
    for (const cuda::KernelUse& use : code.kernels) result.spill_bytes += use.spill_load_bytes + use.spill_store_bytes;
    std::ranges::copy_if(cuda::busiest_loops(code.ptx), std::back_inserter(result.products),
                         [](const cuda::PtxLoop& loop) { return loop.multiplies >= kManyMultiplies; });
  }
  return result;
}

double network_seconds(const GpuNetwork& network, driver::Cuda& gpu) {
  const auto functions = driver::functions_on_gpu(gpu);
  functions->load_programs(network.programs);
  driver::NetworkExecutor executor(std::make_shared<const Network>(network.compiled.network), *functions, nullptr);
  const graph::Inputs inputs = seeded_inputs(network.graph);
  const std::vector<Tensor> got = outputs_of(executor, inputs), expected = by_processor(network, inputs);
  for (size_t i = 0; i < got.size(); ++i) {
    if (const auto text = difference(expected[i], got[i], {1e-4, 1e-4})) {
      throw InternalError(fmt::format("{}: output {}: {}", network.name, i, *text));
    }
  }
  return executor.time(kTime).median();
}

double vendor_network_seconds(const GpuNetwork& network) {
  const driver::CudaOptions options = {.worker = VANTAGE_GPU, .libcuda = {}};
  const auto cudnn = GpuLibrary::open("cudnn:", options), cublas = GpuLibrary::open("cublas:", options);
  double seconds = 0;
  for (const Node& node : network.graph.nodes()) {
    if (node.is_call("conv2d")) seconds += seconds_of(*cudnn, node, network.graph);
    if (node.is_call("dense")) seconds += seconds_of_dense(*cublas, node, network.graph);
  }
  return seconds;
}

}  // namespace vantage::bench
