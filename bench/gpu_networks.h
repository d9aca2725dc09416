// What bench/gpu.cpp measures of whole networks of float32 with a batch of 1: as `vantage run MODEL --target cuda:` has
// them, beside what NVIDIA's libraries take for their convolutions and dense layers alone.
#pragma once

#include <memory>
#include <string>

#include "bench/gpu_banks.h"
#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/ptx_loops.h"
#include "compiler/network/compile_network.h"
#include "driver/cuda/cuda_device.h"
#include "native/gpu_program.h"

namespace vantage::bench {

struct GpuNetwork {
  std::string name;
  graph::Graph graph;  // with weights of a seed
  network::CompiledNetwork compiled;
  std::vector<native::GpuProgram> programs;

  // What can be told without a GPU.
  int64_t launches = 0;  // of a run
  int64_t spill_bytes = 0;
  BankFacts banks = {};
  double model_cycles = 0;                   // of a run's products in tiles (bench/gpu_model.h)
  std::vector<cuda::PtxLoop> products = {};  // of each kernel that multiplies more than here and there
};
// For the architecture, by NVRTC. Throws Error where that is not here.
GpuNetwork gpu_network(const std::string& name, const cuda::Architecture& architecture);

// Of a run, all of it one CUDA graph. Throws InternalError where its outputs are not those of this machine's processor.
double network_seconds(const GpuNetwork& network, driver::Cuda& gpu);

// Convolutions by cuDNN and dense layers by cuBLAS, each by itself, added up: what lies between them is left out.
// Throws Error where a library is not here.
double vendor_network_seconds(const GpuNetwork& network);

}  // namespace vantage::bench
