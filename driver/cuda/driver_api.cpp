#include "driver/cuda/driver_api.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "driver/cuda/gpu.h"

namespace vantage::driver {

namespace {

constexpr const char* kLibcuda = "libcuda.so.1";

template <typename Pointer>
void find_in(void* library, const std::string& path, const char* name, Pointer& function) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) {
    fail("cuda: {} has no {}: NVIDIA's driver here is older than CUDA 11.4; install version 470 or later of it", path,
         name);
  }
  function = reinterpret_cast<Pointer>(symbol);
}

// A function whose parameters changed has a number behind its name; CUDA's header picks it, so here it is written out.
std::shared_ptr<const DriverApi> functions_of(void* library, const std::string& path) {
  auto api = std::make_shared<DriverApi>();
  const auto find = [&](const char* name, auto& function) { find_in(library, path, name, function); };
  find("cuInit", api->init);
  find("cuDriverGetVersion", api->driver_get_version);
  find("cuGetErrorName", api->get_error_name);
  find("cuGetErrorString", api->get_error_string);
  find("cuDeviceGetCount", api->device_get_count);
  find("cuDeviceGet", api->device_get);
  find("cuDeviceGetName", api->device_get_name);
  find("cuDeviceGetAttribute", api->device_get_attribute);
  find("cuDeviceTotalMem_v2", api->device_total_mem);
  find("cuDevicePrimaryCtxRetain", api->primary_ctx_retain);
  find("cuDevicePrimaryCtxRelease_v2", api->primary_ctx_release);
  find("cuDevicePrimaryCtxReset_v2", api->primary_ctx_reset);
  find("cuCtxSetCurrent", api->ctx_set_current);
  find("cuMemGetInfo_v2", api->mem_get_info);
  find("cuMemAlloc_v2", api->mem_alloc);
  find("cuMemFree_v2", api->mem_free);
  find("cuMemsetD8Async", api->memset_d8_async);
  find("cuMemcpyHtoDAsync_v2", api->memcpy_htod_async);
  find("cuMemcpyDtoHAsync_v2", api->memcpy_dtoh_async);
  api->tensor_map_encode_tiled =
      reinterpret_cast<decltype(api->tensor_map_encode_tiled)>(dlsym(library, "cuTensorMapEncodeTiled"));
  find("cuModuleLoadDataEx", api->module_load_data_ex);
  find("cuModuleUnload", api->module_unload);
  find("cuModuleGetFunction", api->module_get_function);
  find("cuFuncSetAttribute", api->func_set_attribute);
  find("cuLaunchKernel", api->launch_kernel);
  find("cuStreamCreate", api->stream_create);
  find("cuStreamDestroy_v2", api->stream_destroy);
  find("cuStreamSynchronize", api->stream_synchronize);
  find("cuStreamWaitEvent", api->stream_wait_event);
  find("cuEventCreate", api->event_create);
  find("cuEventDestroy_v2", api->event_destroy);
  find("cuEventRecord", api->event_record);
  find("cuEventSynchronize", api->event_synchronize);
  find("cuEventElapsedTime", api->event_elapsed_time);
  find("cuStreamBeginCapture_v2", api->stream_begin_capture);
  find("cuStreamEndCapture", api->stream_end_capture);
  find("cuGraphInstantiateWithFlags", api->graph_instantiate);
  find("cuGraphLaunch", api->graph_launch);
  find("cuGraphDestroy", api->graph_destroy);
  find("cuGraphExecDestroy", api->graph_exec_destroy);
  return api;
}

// What a fault means for whoever wrote the kernel; empty where the code's own text says it all.
const char* meaning_of(int code) {
  switch (code) {
    case kCudaIllegalAddress: return "; it read or wrote outside the buffers that it was given";
    case kCudaMisalignedAddress:
      return "; it accessed several elements at once at an address that is no multiple of them";
    case kCudaLaunchTimeout: return "; a GPU that also draws a screen ends kernels that take seconds";
    case kCudaContextIsDestroyed: return "; something else in this process reset the GPU";
    default: return "";
  }
}

}  // namespace

bool is_sticky(int code) {
  static constexpr std::array kSticky = {
      kCudaEccUncorrectable,
      kCudaContained,
      kCudaIllegalAddress,
      kCudaLaunchTimeout,
      kCudaContextIsDestroyed,
      kCudaAssert,
      kCudaHardwareStackError,
      kCudaIllegalInstruction,
      kCudaMisalignedAddress,
      kCudaInvalidAddressSpace,
      kCudaInvalidPc,
      kCudaLaunchFailed,
      kCudaUnknown,
  };
  return std::find(kSticky.begin(), kSticky.end(), code) != kSticky.end();
}

std::shared_ptr<const DriverApi> DriverApi::load(const std::filesystem::path& library) {
  const std::string path = library.empty() ? kLibcuda : library.string();
  void* const loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    fail(
        "cuda: NVIDIA's driver is not here: {}. {} comes with the driver of a GPU (on Debian the package libcuda1); in "
        "a container it comes from the host, with NVIDIA's container toolkit",
        dlerror(), path);
  }
  return functions_of(loaded, path);
}

std::string DriverApi::describe(int code) const {
  const char *name = nullptr, *text = nullptr;
  if (get_error_name(code, &name) != kCudaSuccess || name == nullptr) return fmt::format("error {}", code);
  if (get_error_string(code, &text) != kCudaSuccess || text == nullptr) return name;
  return fmt::format("{} ({})", name, text);
}

void DriverApi::require(int code, const std::string& name, const std::string& what) const {
  if (code == kCudaSuccess) return;
  const std::string message = fmt::format("{}: {}: {}{}", name, what, describe(code), meaning_of(code));
  if (is_sticky(code)) throw GpuFault(message);
  throw Error(message);
}

int count_devices(const DriverApi& api, const std::string& name) {
  int count = 0;
  int code = api.init(0);
  if (code == kCudaSuccess) code = api.device_get_count(&count);
  if (code == kCudaNoDevice || (code == kCudaSuccess && count == 0)) {
    fail(
        "{}: NVIDIA's driver is here, and finds no GPU; `nvidia-smi -L` lists those there are, and "
        "CUDA_VISIBLE_DEVICES may hide them",
        name);
  }
  if (code == kCudaStubLibrary) {
    fail(
        "{}: the libcuda that was found is the toolkit's for linking, which runs nothing; take its folder (stubs) out "
        "of LD_LIBRARY_PATH",
        name);
  }
  if (code == kCudaSystemDriverMismatch) {
    fail(
        "{}: the kernel's module of NVIDIA's driver is of another version than its library: {}; restart the machine "
        "after an update of the driver",
        name, api.describe(code));
  }
  if (code != kCudaSuccess) {
    fail("{}: NVIDIA's driver does not start: {}; `nvidia-smi` says more", name, api.describe(code));
  }
  return count;
}

}  // namespace vantage::driver
