// A GPU that runs a network's functions: programs, by their numbers.
#pragma once

#include <memory>

#include "driver/cuda/cuda_device.h"
#include "driver/processor/function_device.h"

namespace vantage::driver {

// With no functions yet, which load_programs() gives it. Its calls join: a whole run is one CUDA graph. After a kernel
// faulted what it held is lost, constants too: then a network is to be loaded anew.
std::unique_ptr<FunctionDevice> functions_on_gpu(std::unique_ptr<Cuda> gpu);
// The same on a GPU that must outlive the result.
std::unique_ptr<FunctionDevice> functions_on_gpu(Cuda& gpu);

}  // namespace vantage::driver
