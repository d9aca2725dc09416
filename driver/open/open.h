// Every device there is, opened by URI.
#pragma once

#include <filesystem>
#include <string_view>

#include "driver/device/kind.h"
#include "driver/processor/function_device.h"

namespace vantage::driver {

// See open_as.
std::unique_ptr<Accelerator> open_accelerator(const std::string& uri, const isa::Config& config,
                                              const AcceleratorOptions& options = {});

// The processor at "cpu:" or, of a server that takes code, at "rpc://HOST:PORT/cpu"; or the GPU at "cuda:", held by the
// program `gpu_worker` (driver/cuda/cuda_device.h). `log` is told what a server has to say, from another thread. Throws
// Error for anything else.
std::unique_ptr<FunctionDevice> open_functions(const std::string& uri,
                                               std::function<void(const std::string&)> log = nullptr,
                                               const std::filesystem::path& gpu_worker = {});

const std::vector<AcceleratorKind>& accelerator_kinds();
// The kind of this URI's scheme; null when no accelerator has it.
const AcceleratorKind* accelerator_kind_of(std::string_view uri);

// For help and messages: how the URIs of a kind look, and one line each; processors and GPUs too.
std::vector<DeviceKind> device_kinds();

// GPUs and the libraries that run on them, with why there is none where there is none: this looks for NVIDIA's driver
// and libraries.
std::vector<DeviceKind> gpu_kinds();

// Processors, and GPUs, that this tool can compare with an accelerator; of GPUs this does not say whether there are
// any.
std::vector<DeviceKind> compared_processors();
std::vector<DeviceKind> compared_gpus();

}  // namespace vantage::driver
