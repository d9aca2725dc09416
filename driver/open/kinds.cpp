#include "base/error.h"
#include "driver/cuda/gpu_functions.h"
#include "driver/cuda/gpu_library.h"
#include "driver/open/local_kinds.h"
#include "driver/open/open.h"
#include "driver/processor/processor.h"
#include "driver/rpc/client/remote_accelerator.h"
#include "driver/rpc/client/remote_processor.h"

namespace vantage::driver {

const std::vector<AcceleratorKind>& accelerator_kinds() {
  static const std::vector<AcceleratorKind> kKinds = [] {
    std::vector<AcceleratorKind> kinds = local_accelerators();
    if constexpr (VANTAGE_HAS_REMOTE) {
      kinds.push_back(rpc::remote_accelerator());
      kinds.push_back(rpc::remote_accelerator_over_tls());
    }
    return kinds;
  }();
  return kKinds;
}

std::unique_ptr<FunctionDevice> open_functions(const std::string& uri, std::function<void(const std::string&)> log,
                                               [[maybe_unused]] const std::filesystem::path& gpu_worker) {
  if (uri.starts_with("cuda:")) {
    if constexpr (VANTAGE_HAS_CUDA) {
      return functions_on_gpu(Cuda::open(uri, {.worker = gpu_worker, .libcuda = {}}));
    } else {
      fail("target '{}': the tool for boards has no GPUs; run it on the machine that has the GPU", uri);
    }
  }
  if (uri.starts_with("rpc://") || uri.starts_with("rpcs://")) {
    if constexpr (VANTAGE_HAS_REMOTE) {
      return rpc::open_remote_processor(uri, std::move(log));
    } else {
      fail("target '{}': this build has no devices of other machines", uri);
    }
  }
  return functions_here(Processor::open(uri));
}

std::vector<DeviceKind> compared_gpus() {
  if constexpr (VANTAGE_HAS_CUDA) {
    std::vector<DeviceKind> kinds = cuda_kinds();
    for (const DeviceKind& kind : gpu_library_kinds()) kinds.push_back(kind);
    return kinds;
  }
  return {};
}

std::vector<DeviceKind> gpu_kinds() {
  std::vector<DeviceKind> kinds = compared_gpus();
  if constexpr (VANTAGE_HAS_CUDA) {
    const std::string no_gpu = why_no_cuda();
    for (DeviceKind& kind : kinds) {
      if (!is_gpu_library(kind.uri)) {
        kind.why_not = no_gpu;
      } else {
        kind.why_not = no_gpu.empty() ? why_no_gpu_library(kind.uri) : "it needs a GPU, as cuda: does";
      }
    }
  }
  return kinds;
}

std::vector<DeviceKind> compared_processors() {
  if constexpr (VANTAGE_HAS_PROCESSOR) return processor_kinds();
  return {};
}

}  // namespace vantage::driver
