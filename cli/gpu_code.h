// A network's functions compiled for GPUs: for `run MODEL --target cuda:` and `compile --target cuda:`.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/network/compile_network.h"
#include "driver/processor/function_device.h"
#include "network/archive.h"

namespace vantage::cli {

// Whether a target is a GPU.
bool is_gpu_target(std::string_view uri);

// The GPU of this target, held by a process of its own. Throws Error where there is none.
std::unique_ptr<driver::FunctionDevice> open_gpu(const std::string& uri);
// What is compiled for on it.
const cuda::Architecture& architecture_of(const driver::FunctionDevice& gpu);

// NVIDIA's compiler, with what it made before taken from the cache, where there is a place for one. Throws Error where
// it is not installed.
std::shared_ptr<const cuda::Nvrtc> load_nvrtc();

// Programs of the network's functions, with progress on a terminal. Throws Error.
GpuFunctions compile_gpu_code(const network::CompiledNetwork& compiled, const cuda::Architecture& architecture,
                              const cuda::Nvrtc& nvrtc);

}  // namespace vantage::cli
