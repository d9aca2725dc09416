// The GPU that tests run on: the machine's own where it has one, and elsewhere a library that stands in for NVIDIA's
// (stand_in_libcuda.cpp), so that all but NVIDIA's own part of it is tested everywhere.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/backend/cuda/kernel.h"
#include "compiler/ir/substitute.h"
#include "driver/cuda/cuda_device.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/support/variable.h"

namespace vantage::test {

// Whether there is one here that is real.
bool has_real_gpu();
// To open it, held by a process of its own.
driver::CudaOptions some_gpu();
// To open the one that stands in: by this process, or by one of its own.
driver::CudaOptions stand_in_here();
driver::CudaOptions stand_in_apart();
// To open "cublas:" or "cudnn:": NVIDIA's own where there is a GPU and this library, elsewhere what stands in for it.
driver::CudaOptions some_library(const std::string& uri);

// Functions that are compiled together, for the stand-in in any case, and for the real one where there is one.
class GpuPrograms {
 public:
  // Scheduled functions, whose names differ.
  explicit GpuPrograms(std::vector<ir::PrimFunc> scheduled);

  const ir::PrimFunc& function(size_t i) const { return functions_[i]; }
  // For the device that these options open.
  native::GpuProgram get(size_t i, const driver::CudaOptions& options, const ir::VarMap& values = {}) const;
  // The stand-in's image of all kernels, for GPUs of this architecture: machine code, or PTX of a version of CUDA.
  std::string cubin(const std::string& architecture = "sm_80") const;
  std::string ptx(const std::string& version = "13.0", const std::string& architecture = "sm_80") const;

 private:
  std::vector<ir::PrimFunc> functions_;
  std::vector<cuda::Module> modules_;
  OnProcessor processor_;
};

}  // namespace vantage::test
