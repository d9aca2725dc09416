// NVIDIA's libraries on a GPU that this process holds: their calls, on its stream.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/units.h"
#include "driver/cuda/bound_call.h"
#include "driver/cuda/library_call.h"

namespace vantage::driver {

// Device memory that lives as long as the call that is bound, at this address. Throws Error where there is not as much.
using Workspace = std::function<uint64_t(Bytes)>;

// A library that was made ready for one GPU, which takes time and memory there. REQUIRES: the device's context is
// current, in all that it and its calls do and when they end. It ends after its calls.
class GpuLibraryHandle {
 public:
  GpuLibraryHandle() = default;
  GpuLibraryHandle(const GpuLibraryHandle&) = delete;
  GpuLibraryHandle& operator=(const GpuLibraryHandle&) = delete;
  virtual ~GpuLibraryHandle() = default;

  // `tensors`: addresses, in the order of the call's signature. Throws Error for what the library does not do, with
  // what it does.
  virtual std::unique_ptr<BoundCall> bind(const LibraryCall& call, const std::vector<uint64_t>& tensors,
                                          const Workspace& workspace) = 0;
};

// Those that were asked for, each opened when it first is.
class GpuLibraries {
 public:
  explicit GpuLibraries(std::shared_ptr<const DriverApi> api) : api_(std::move(api)) {}

  // Throws Error also where the library is missing, too old, or does not start on this GPU.
  std::unique_ptr<BoundCall> bind(const LibraryCall& call, const std::vector<uint64_t>& tensors,
                                  DriverApi::Stream stream, const Workspace& workspace);
  void close() { opened_.clear(); }

 private:
  struct Opened {
    size_t work;  // which of LibraryCall's
    std::string file;
    std::unique_ptr<GpuLibraryHandle> handle;
  };

  const std::shared_ptr<const DriverApi> api_;
  std::vector<Opened> opened_;
};

}  // namespace vantage::driver
