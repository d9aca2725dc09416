// Stands in for libcuda.so.1 where there is no GPU: the functions of NVIDIA's driver API that driver/cuda calls, with
// the same names, on a "device" whose memory is the host's. Kernels are functions of a shared library that was compiled
// from their text as C++ (tests/compiler/backend/cuda/as_cpp.h), and an image to load says which: "stand-in cubin sm_80
// PATH", or +BYTES for PATH, and the library after the line; or "stand-in ptx 13.0 sm_80 PATH".
//
// What it cannot show is what NVIDIA's own driver does: where there is a GPU the same tests run on that. It is strict
// where the real one is: nothing runs before it is waited for, streams take turns in any order that their events allow,
// parameters are copied at the launch, a call needs a current context, and a fault is what every call answers from then
// on.
//
// Environment variables, read at every call, make it behave as drivers do that these tests want to see:
//   STAND_IN_DEVICES (1), STAND_IN_VERSION (13000), STAND_IN_CAPABILITY (80), STAND_IN_MEMORY (2^28 bytes),
//   STAND_IN_INIT         cuInit answers this code
//   STAND_IN_FAULT_AT     the launch with this number, from 1 in each process, ends with STAND_IN_FAULT (700)
//   STAND_IN_CRASH_AT     that one ends the process
//   STAND_IN_HANG_AT      that one never ends
//   STAND_IN_RESET_HELPS  a context can be used again after a fault once it was reset, which NVIDIA does not promise
//   STAND_IN_EVENTS       so many events can be there at once
//   STAND_IN_NO_GRAPHS    streams cannot be captured
#include "tests/driver/cuda/stand_in.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/compiler/backend/cuda/shim/tensor_map.h"
#include "tests/driver/cuda/stand_in_streams.h"

namespace {

using vantage::test::stand_in::Event;
using vantage::test::stand_in::Graph;
using vantage::test::stand_in::knob;
using vantage::test::stand_in::Stream;

enum Code : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinary = 209,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kCaptureUnsupported = 900,
  kCaptureUnjoined = 904,
  kCaptureIsolation = 905,
};

using Launcher = int (*)(const int* grid, const int* block, void** parameters);

struct Kernel {
  Launcher launch;
  size_t parameters, maps;  // tensor maps behind those
  unsigned given_bytes = 48 * 1024;
};

struct Module {
  void* library;
  std::vector<std::unique_ptr<Kernel>> kernels;
};

// One device's primary context.
struct Context {
  int users = 0;
  int fault = kSuccess;
  uint64_t used = 0;
  std::map<uint64_t, size_t> memory;
};

bool initialized = false;
std::array<Context, 8> contexts;
long launches = 0, graph_launches = 0;
long events = 0;  // that there are
thread_local Context* current = nullptr;

// What a call is answered before it does anything.
int ready() {
  if (!initialized) return kNotInitialized;
  if (current == nullptr || current->users == 0) return kInvalidContext;
  return current->fault;
}

int synchronize(Stream& stream) {
  const int code = vantage::test::stand_in::finish(stream);
  if (code != kSuccess) current->fault = code;
  return code;
}

bool is_inside(uint64_t address, size_t bytes) {
  auto piece = current->memory.upper_bound(address);
  if (piece == current->memory.begin()) return false;
  --piece;
  return address + bytes <= piece->first + piece->second;
}

char* pointer(uint64_t address) {
  return reinterpret_cast<char*>(address);  // NOLINT: what aligned_alloc gave
}

int submit(void* stream, std::function<int()> work) {
  add(*static_cast<Stream*>(stream), {std::move(work)});
  return kSuccess;
}

int count_launch() {
  ++launches;
  if (launches == knob("STAND_IN_CRASH_AT", 0)) std::abort();
  while (launches == knob("STAND_IN_HANG_AT", 0)) ::pause();
  return launches == knob("STAND_IN_FAULT_AT", 0) ? static_cast<int>(knob("STAND_IN_FAULT", kIllegalAddress))
                                                  : kSuccess;
}

// The number in "sm_80".
long capability_in(const std::string& architecture) {
  return architecture.size() > 3 ? std::atol(architecture.c_str() + 3) : 0;
}

// Bytes of shared memory that a block may ask for.
long most_shared() {
  switch (knob("STAND_IN_CAPABILITY", 80)) {
    case 75: return 64 * 1024;
    case 80: return 163 * 1024;
    case 86:
    case 89:
    case 120: return 99 * 1024;
    default: return 227 * 1024;
  }
}

// As a driver decides whether it takes an image.
int judge(std::istream& image, std::string& path, std::string& log) {
  const long own = knob("STAND_IN_CAPABILITY", 80);
  std::string word, kind, architecture;
  image >> word >> kind;
  if (word != "stand-in") return kInvalidImage;
  if (kind == "ptx") {
    double version = 0;
    image >> version >> architecture >> path;
    if (static_cast<long>(version * 1000 + 0.5) > knob("STAND_IN_VERSION", 13000)) {
      log = "ptxas fatal: Unsupported .version";
      return kUnsupportedPtxVersion;
    }
    return capability_in(architecture) > own ? kInvalidPtx : kSuccess;
  }
  image >> architecture >> path;
  const long wanted = capability_in(architecture);
  return wanted / 10 == own / 10 && wanted <= own ? kSuccess : kNoBinary;
}

void* load(const char* bytes, size_t count) {
  // A name that no library had before: one that is loaded is not looked at again.
  std::string path = "/tmp/stand-in-kernels.XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0) return nullptr;
  ::close(file);
  std::ofstream(path, std::ios::binary).write(bytes, static_cast<std::streamsize>(count));
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ::unlink(path.c_str());
  return library;
}

}  // namespace

// For the libraries that stand in for NVIDIA's beside this one.
namespace vantage::test::stand_in {

bool is_ready() {
  return ready() == kSuccess;
}

bool is_inside(const void* address, size_t bytes) {
  return ::is_inside(reinterpret_cast<uint64_t>(address), bytes);
}

void submit(void* stream, std::function<int()> operation) {
  ::submit(stream, [operation = std::move(operation)] {
    if (const int fault = count_launch(); fault != kSuccess) return fault;
    return operation();
  });
}

}  // namespace vantage::test::stand_in

extern "C" {

int cuInit(unsigned) {
  const long code = knob("STAND_IN_INIT", kSuccess);
  if (code != kSuccess) return static_cast<int>(code);
  if (knob("STAND_IN_DEVICES", 1) == 0) return kNoDevice;
  initialized = true;
  return kSuccess;
}

int cuDriverGetVersion(int* version) {
  *version = static_cast<int>(knob("STAND_IN_VERSION", 13000));
  return kSuccess;
}

int cuGetErrorName(int code, const char** name) {
  static const std::map<int, const char*> kNames = {
      {kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
      {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE"},
      {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
      {kNoBinary, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {kInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
      {kUnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
      {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {kLaunchTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT"},
      {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
      {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
      {999, "CUDA_ERROR_UNKNOWN"},
  };
  const auto found = kNames.find(code);
  *name = found != kNames.end() ? found->second : nullptr;
  return found != kNames.end() ? kSuccess : kInvalidValue;
}

int cuGetErrorString(int code, const char** text) {
  *text = code == kIllegalAddress ? "an illegal memory access was encountered" : "as the stand-in says";
  return kSuccess;
}

int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(knob("STAND_IN_DEVICES", 1));
  return initialized ? kSuccess : kNotInitialized;
}

int cuDeviceGet(int* device, int ordinal) {
  if (ordinal < 0 || ordinal >= knob("STAND_IN_DEVICES", 1)) return kInvalidDevice;
  *device = ordinal;
  return kSuccess;
}

int cuDeviceGetName(char* name, int length, int device) {
  std::strncpy(name, ("stand-in " + std::to_string(device)).c_str(), static_cast<size_t>(length));
  return kSuccess;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  const long capability = knob("STAND_IN_CAPABILITY", 80);
  const std::map<int, long> values = {
      {13, 1410000},         {16, 108},          {36, 1215000}, {37, 5120}, {38, 40 << 20}, {75, capability / 10},
      {76, capability % 10}, {97, most_shared()}};
  const auto found = values.find(attribute);
  if (found == values.end()) return kInvalidValue;
  *value = static_cast<int>(found->second);
  return kSuccess;
}

int cuDeviceTotalMem_v2(size_t* bytes, int) {
  *bytes = static_cast<size_t>(knob("STAND_IN_MEMORY", 1 << 28));
  return kSuccess;
}

int cuDevicePrimaryCtxRetain(void** context, int device) {
  if (!initialized) return kNotInitialized;
  Context& own = contexts.at(static_cast<size_t>(device));
  if (own.fault != kSuccess) return own.fault;
  ++own.users;
  *context = &own;
  return kSuccess;
}

int cuDevicePrimaryCtxReset_v2(int device) {
  Context& own = contexts.at(static_cast<size_t>(device));
  for (const auto& [address, size] : own.memory) std::free(pointer(address));  // NOLINT
  own.memory.clear();
  own.used = 0;
  if (knob("STAND_IN_RESET_HELPS", 0) != 0) own.fault = kSuccess;
  return own.fault;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  Context& own = contexts.at(static_cast<size_t>(device));
  if (own.users == 0) return kInvalidContext;
  if (--own.users == 0 && own.fault == kSuccess) cuDevicePrimaryCtxReset_v2(device);
  return kSuccess;
}

int cuCtxSetCurrent(void* context) {
  current = static_cast<Context*>(context);
  return kSuccess;
}

int cuMemGetInfo_v2(size_t* free, size_t* total) {
  if (const int code = ready(); code != kSuccess) return code;
  *total = static_cast<size_t>(knob("STAND_IN_MEMORY", 1 << 28));
  *free = *total - current->used;
  return kSuccess;
}

int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  if (const int code = ready(); code != kSuccess) return code;
  if (bytes == 0) return kInvalidValue;
  if (current->used + bytes > static_cast<size_t>(knob("STAND_IN_MEMORY", 1 << 28))) return kOutOfMemory;
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(memory, 0xcd, bytes);  // nobody may take it for zero
  *address = reinterpret_cast<uint64_t>(memory);
  current->memory[*address] = bytes;
  current->used += bytes;
  return kSuccess;
}

int cuMemFree_v2(uint64_t address) {
  if (const int code = ready(); code != kSuccess) return code;
  const auto piece = current->memory.find(address);
  if (piece == current->memory.end()) return kInvalidValue;
  current->used -= piece->second;
  current->memory.erase(piece);
  std::free(pointer(address));  // NOLINT
  return kSuccess;
}

int cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void* stream) {
  if (const int code = ready(); code != kSuccess) return code;
  if (!is_inside(address, bytes)) return kInvalidValue;
  return submit(stream, [=] {
    std::memset(pointer(address), value, bytes);
    return kSuccess;
  });
}

int cuMemcpyHtoDAsync_v2(uint64_t address, const void* bytes, size_t count, void* stream) {
  if (const int code = ready(); code != kSuccess) return code;
  if (!is_inside(address, count)) return kInvalidValue;
  return submit(stream, [=] {
    std::memcpy(pointer(address), bytes, count);
    return kSuccess;
  });
}

int cuMemcpyDtoHAsync_v2(void* bytes, uint64_t address, size_t count, void* stream) {
  if (const int code = ready(); code != kSuccess) return code;
  if (!is_inside(address, count)) return kInvalidValue;
  return submit(stream, [=] {
    std::memcpy(bytes, pointer(address), count);
    return kSuccess;
  });
}

// Strict where NVIDIA's is: strides and addresses are multiples of 16 bytes, and the rows of a box are as long as the
// swizzle is wide at the most.
int cuTensorMapEncodeTiled(void* map, int type, uint32_t rank, void* address, const uint64_t* sizes,
                           const uint64_t* strides, const uint32_t* box, const uint32_t* element_strides,
                           int interleave, int swizzle, int, int outside) {
  if (type < 0 || type > 2 || interleave != 0 || swizzle != 3 || outside != 0) return kInvalidValue;
  if (rank < 1 || rank > 5 || reinterpret_cast<uint64_t>(address) % 16 != 0) return kInvalidValue;
  shim::TensorMap result{address, {}, {}, {}, rank, 1U << type};
  for (uint32_t d = 0; d < rank; ++d) {
    if (sizes[d] == 0 || sizes[d] > uint64_t{1} << 32 || box[d] == 0 || box[d] > 256 || element_strides[d] != 1) {
      return kInvalidValue;
    }
    if (d > 0 && (strides[d - 1] % 16 != 0 || strides[d - 1] >= uint64_t{1} << 40)) return kInvalidValue;
    result.sizes[d] = sizes[d];
    result.strides[d] = d == 0 ? result.element_bytes : strides[d - 1];
    result.box[d] = box[d];
  }
  if (box[0] * result.element_bytes > 128 || box[0] * result.element_bytes % 16 != 0) return kInvalidValue;
  std::memcpy(map, &result, sizeof result);
  return kSuccess;
}

int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options, void** values) {
  if (const int code = ready(); code != kSuccess) return code;
  std::istringstream text(static_cast<const char*>(image));
  std::string path, log;
  const int code = judge(text, path, log);
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == 5) std::strcpy(static_cast<char*>(values[i]), log.c_str());  // NOLINT: a short text
  }
  if (code != kSuccess) return code;
  void* library = path.starts_with('+') ? load(std::strchr(static_cast<const char*>(image), '\n') + 1, std::stoul(path))
                                        : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return kInvalidImage;
  *module = new Module{library, {}};
  return kSuccess;
}

int cuModuleUnload(void* module) {
  const std::unique_ptr<Module> own(static_cast<Module*>(module));
  dlclose(own->library);
  return ready();
}

int cuModuleGetFunction(void** function, void* module, const char* name) {
  if (const int code = ready(); code != kSuccess) return code;
  auto* own = static_cast<Module*>(module);
  const auto launch = reinterpret_cast<Launcher>(dlsym(own->library, (std::string("cuda_") + name).c_str()));
  const auto* parameters =
      static_cast<const int*>(dlsym(own->library, (std::string("cuda_parameters_") + name).c_str()));
  const auto* maps = static_cast<const int*>(dlsym(own->library, (std::string("cuda_maps_") + name).c_str()));
  if (launch == nullptr || parameters == nullptr || maps == nullptr) return kNotFound;
  own->kernels.push_back(
      std::make_unique<Kernel>(Kernel{launch, static_cast<size_t>(*parameters), static_cast<size_t>(*maps)}));
  *function = own->kernels.back().get();
  return kSuccess;
}

int cuFuncSetAttribute(void* function, int attribute, int value) {
  if (const int code = ready(); code != kSuccess) return code;
  if (attribute != 8 || value > most_shared()) return kInvalidValue;
  static_cast<Kernel*>(function)->given_bytes = static_cast<unsigned>(value);
  return kSuccess;
}

int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** parameters, void**) {
  if (const int code = ready(); code != kSuccess) return code;
  const Kernel& kernel = *static_cast<Kernel*>(function);
  const uint64_t threads = uint64_t{block_x} * block_y * block_z;
  if (grid_x == 0 || grid_y == 0 || grid_z == 0 || grid_y > 65535 || grid_z > 65535) return kInvalidValue;
  if (threads == 0 || threads > 1024 || shared_bytes > kernel.given_bytes) return kInvalidValue;
  // All else that a kernel takes is of eight bytes at most, and lies in as many.
  std::vector<uint64_t> values(kernel.parameters);
  for (size_t i = 0; i < values.size(); ++i) std::memcpy(&values[i], parameters[i], sizeof(uint64_t));
  std::vector<shim::TensorMap> maps(kernel.maps);
  for (size_t i = 0; i < maps.size(); ++i) std::memcpy(&maps[i], parameters[values.size() + i], sizeof maps[i]);
  const std::array<int, 3> grid = {static_cast<int>(grid_x), static_cast<int>(grid_y), static_cast<int>(grid_z)};
  const std::array<int, 3> block = {static_cast<int>(block_x), static_cast<int>(block_y), static_cast<int>(block_z)};
  return submit(stream, [launch = kernel.launch, values, maps, grid, block]() mutable -> int {
    if (const int fault = count_launch(); fault != kSuccess) return fault;
    std::vector<void*> pointers;
    for (uint64_t& value : values) pointers.push_back(&value);
    for (shim::TensorMap& map : maps) pointers.push_back(&map);
    return launch(grid.data(), block.data(), pointers.data()) == 0 ? kSuccess : kLaunchTimeout;
  });
}

int cuStreamCreate(void** stream, unsigned) {
  if (const int code = ready(); code != kSuccess) return code;
  *stream = vantage::test::stand_in::create_stream(current);
  return kSuccess;
}

int cuStreamDestroy_v2(void* stream) {
  vantage::test::stand_in::destroy_stream(static_cast<Stream*>(stream));
  return kSuccess;
}

int cuStreamSynchronize(void* stream) {
  if (const int code = ready(); code != kSuccess) return code;
  auto* own = static_cast<Stream*>(stream);
  return own->captured != nullptr ? kCaptureUnsupported : synchronize(*own);
}

int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  if (const int code = ready(); code != kSuccess) return code;
  return wait(*static_cast<Stream*>(stream), *static_cast<Event*>(event)) ? kSuccess : kCaptureIsolation;
}

int cuEventCreate(void** event, unsigned) {
  if (const int code = ready(); code != kSuccess) return code;
  if (events >= knob("STAND_IN_EVENTS", INT_MAX)) return kOutOfMemory;
  *event = new Event;
  ++events;
  return kSuccess;
}

int cuEventDestroy_v2(void* event) {
  delete static_cast<Event*>(event);
  --events;
  return kSuccess;
}

int cuEventRecord(void* event, void* stream) {
  if (const int code = ready(); code != kSuccess) return code;
  record(*static_cast<Event*>(event), *static_cast<Stream*>(stream));
  return kSuccess;
}

int cuEventSynchronize(void* event) {
  if (const int code = ready(); code != kSuccess) return code;
  return synchronize(*static_cast<Event*>(event)->stream);
}

int cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
  if (const int code = ready(); code != kSuccess) return code;
  const auto *first = static_cast<Event*>(begin), *last = static_cast<Event*>(end);
  const auto is_over = [](const Event& event) { return event.moment != nullptr && event.moment->has_come; };
  if (!is_over(*first) || !is_over(*last)) return kNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(last->time - first->time).count();
  return kSuccess;
}

int cuStreamBeginCapture_v2(void* stream, int) {
  if (const int code = ready(); code != kSuccess) return code;
  if (knob("STAND_IN_NO_GRAPHS", 0) != 0) return kCaptureUnsupported;
  begin_capture(*static_cast<Stream*>(stream));
  return kSuccess;
}

int cuStreamEndCapture(void* stream, void** graph) {
  *graph = end_capture(*static_cast<Stream*>(stream)).release();
  return *graph == nullptr ? kCaptureUnjoined : kSuccess;
}

int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long) {
  *exec = new Graph(*static_cast<Graph*>(graph));
  return kSuccess;
}

int cuGraphLaunch(void* exec, void* stream) {
  if (const int code = ready(); code != kSuccess) return code;
  // Stricter than it may be: nothing here puts a graph into one that is being captured.
  if (static_cast<Stream*>(stream)->captured != nullptr) return kCaptureUnsupported;
  ++graph_launches;
  return submit(stream, [graph = *static_cast<Graph*>(exec)] { return graph.run(); });
}

int cuGraphDestroy(void* graph) {
  delete static_cast<Graph*>(graph);
  return kSuccess;
}

int cuGraphExecDestroy(void* exec) {
  delete static_cast<Graph*>(exec);
  return kSuccess;
}

// For tests that look into it.
long stand_in_launches() {
  return launches;
}
long stand_in_graph_launches() {
  return graph_launches;
}
long stand_in_queues() {  // streams and events that there are
  return static_cast<long>(vantage::test::stand_in::stream_count()) + events;
}

}  // extern "C"
