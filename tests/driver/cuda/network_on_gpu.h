// A network's floats, compiled for the GPU that tests run on.
#pragma once

#include <memory>
#include <vector>

#include "compiler/graph/evaluate.h"
#include "compiler/network/compile_network.h"
#include "driver/runtime/executor.h"
#include "network/archive.h"
#include "tests/driver/cuda/some_gpu.h"

namespace vantage::test {

// On a device of its own.
struct RunningNetwork {
  std::unique_ptr<driver::FunctionDevice> functions;
  std::unique_ptr<driver::NetworkExecutor> executor;

  RunningNetwork(const Network& network, GpuFunctions code, const driver::CudaOptions& options);

  void give(const graph::Inputs& inputs) const;
  std::vector<Tensor> outputs() const;
  // All at once, and one after another.
  std::vector<Tensor> run(const graph::Inputs& inputs) const;
  std::vector<Tensor> step(const graph::Inputs& inputs) const;
};

class NetworkForGpu {
 public:
  explicit NetworkForGpu(const graph::Graph& floats);

  const Network& network() const { return compiled_.network; }
  const graph::Graph& graph() const { return compiled_.graph; }
  // For the device that these options open.
  GpuFunctions code(const driver::CudaOptions& options) const;
  RunningNetwork on(const driver::CudaOptions& options) const { return {network(), code(options), options}; }
  ModelArchive archive(const driver::CudaOptions& options) const;

 private:
  network::CompiledNetwork compiled_;
  GpuPrograms programs_;
};

}  // namespace vantage::test
