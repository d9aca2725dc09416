// The part of NVIDIA's driver API (libcuda.so.1, "CUDA Driver API" in its documentation) that devices need. The library
// comes with NVIDIA's driver and is loaded when it is asked for: what does not use it builds and runs without.
//
// Thread safety: functions may be called from any thread; what they work with has rules of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace vantage::driver {

// Codes of the API (CUresult) that are told apart here.
enum CudaCode : int {
  kCudaSuccess = 0,
  kCudaInvalidValue = 1,
  kCudaOutOfMemory = 2,
  kCudaStubLibrary = 34,
  kCudaNoDevice = 100,
  kCudaInvalidDevice = 101,
  kCudaInvalidImage = 200,
  kCudaNoBinaryForGpu = 209,
  kCudaEccUncorrectable = 214,
  kCudaInvalidPtx = 218,
  kCudaJitCompilerNotFound = 221,
  kCudaUnsupportedPtxVersion = 222,
  kCudaContained = 226,
  kCudaNotFound = 500,
  kCudaIllegalAddress = 700,
  kCudaLaunchOutOfResources = 701,
  kCudaLaunchTimeout = 702,
  kCudaContextIsDestroyed = 709,
  kCudaAssert = 710,
  kCudaHardwareStackError = 714,
  kCudaIllegalInstruction = 715,
  kCudaMisalignedAddress = 716,
  kCudaInvalidAddressSpace = 717,
  kCudaInvalidPc = 718,
  kCudaLaunchFailed = 719,
  kCudaNotSupported = 801,
  kCudaSystemDriverMismatch = 803,
  kCudaUnknown = 999,
};

// Attributes of devices (CUdevice_attribute).
enum CudaAttribute : int {
  kCudaClockRate = 13,
  kCudaMultiprocessorCount = 16,
  kCudaMemoryClockRate = 36,
  kCudaMemoryBusWidth = 37,
  kCudaL2CacheSize = 38,
  kCudaCapabilityMajor = 75,
  kCudaCapabilityMinor = 76,
  kCudaBlockSharedMemory = 97,
};

// Whether a code says that the context is of no use any more: every call after it returns the same. NVIDIA documents
// for most of these that the process must be started anew.
bool is_sticky(int code);

// The functions by what they do, without "cu", of the versions that the table in the source names.
struct DriverApi {
  // Objects of the driver's.
  using Context = void*;
  using Module = void*;
  using Function = void*;
  using Stream = void*;
  using Event = void*;
  using Graph = void*;
  using GraphExec = void*;

  int (*init)(unsigned flags);
  int (*driver_get_version)(int* version);
  int (*get_error_name)(int code, const char** name);
  int (*get_error_string)(int code, const char** text);

  int (*device_get_count)(int* count);
  int (*device_get)(int* device, int ordinal);
  int (*device_get_name)(char* name, int length, int device);
  int (*device_get_attribute)(int* value, int attribute, int device);
  int (*device_total_mem)(size_t* bytes, int device);

  int (*primary_ctx_retain)(Context* context, int device);
  int (*primary_ctx_release)(int device);
  int (*primary_ctx_reset)(int device);
  int (*ctx_set_current)(Context context);

  int (*mem_get_info)(size_t* free, size_t* total);
  int (*mem_alloc)(uint64_t* address, size_t bytes);
  int (*mem_free)(uint64_t address);
  int (*memset_d8_async)(uint64_t address, unsigned char value, size_t bytes, Stream stream);
  int (*memcpy_htod_async)(uint64_t address, const void* bytes, size_t count, Stream stream);
  int (*memcpy_dtoh_async)(void* bytes, uint64_t address, size_t count, Stream stream);

  // Null where the driver is older than CUDA 12. Types, layouts and the like are numbered as the API does.
  int (*tensor_map_encode_tiled)(void* map, int type, uint32_t rank, void* address, const uint64_t* sizes,
                                 const uint64_t* strides, const uint32_t* box, const uint32_t* element_strides,
                                 int interleave, int swizzle, int l2_promotion, int outside);

  int (*module_load_data_ex)(Module* module, const void* image, unsigned count, int* options, void** values);
  int (*module_unload)(Module module);
  int (*module_get_function)(Function* function, Module module, const char* name);
  int (*func_set_attribute)(Function function, int attribute, int value);
  int (*launch_kernel)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters,
                       void** extra);

  int (*stream_create)(Stream* stream, unsigned flags);
  int (*stream_destroy)(Stream stream);
  int (*stream_synchronize)(Stream stream);
  int (*stream_wait_event)(Stream stream, Event event, unsigned flags);
  int (*event_create)(Event* event, unsigned flags);
  int (*event_destroy)(Event event);
  int (*event_record)(Event event, Stream stream);
  int (*event_synchronize)(Event event);
  int (*event_elapsed_time)(float* milliseconds, Event begin, Event end);

  int (*stream_begin_capture)(Stream stream, int mode);
  int (*stream_end_capture)(Stream stream, Graph* graph);
  int (*graph_instantiate)(GraphExec* exec, Graph graph, unsigned long long flags);
  int (*graph_launch)(GraphExec exec, Stream stream);
  int (*graph_destroy)(Graph graph);
  int (*graph_exec_destroy)(GraphExec exec);

  // Loads the library, which stays to the end of the process: `library`, or where that is empty libcuda.so.1 as the
  // system finds it. Throws Error that says what to do: there is none, or it is older than CUDA 11.4.
  static std::shared_ptr<const DriverApi> load(const std::filesystem::path& library = {});

  // "CUDA_ERROR_INVALID_VALUE (invalid argument)"
  std::string describe(int code) const;
  // Throws for a code that is not success: "NAME: WHAT: the code", GpuFault (gpu.h) for a sticky one, otherwise Error.
  void require(int code, const std::string& name, const std::string& what) const;
};

// How many devices there are, with the API made ready to use. Throws Error, beginning with `name`, where there is none,
// or where the driver does not work, with what would help.
int count_devices(const DriverApi& api, const std::string& name);

}  // namespace vantage::driver
