// NVIDIA's GPUs as devices: memory, and compiled programs of kernels that run on tensors in it, or calls of NVIDIA's
// own libraries (gpu_library.h).
//
// A kernel that faults (touches what is not its own, say) takes with it all that its process has on the GPU, and NVIDIA
// documents that this process can use the GPU no more. With a worker the GPU is held by a process of its own, which
// then ends, and another one takes its place: the fault is an error that says which kernel it was, this process and
// its other devices go on, and so does this device, whose memory is zero again (recovering_gpu.h).
//
// Thread safety: none; use a device and what is loaded onto it from one thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "driver/cuda/gpu.h"
#include "driver/cuda/recovering_gpu.h"
#include "driver/device/device.h"
#include "driver/device/loaded.h"
#include "native/gpu_program.h"

namespace vantage::driver {

struct CudaOptions {
  // The program that holds the GPU (vantage-gpu); empty: this process does, and a fault resets the GPU's context here,
  // which may work.
  std::filesystem::path worker = {};
  // The driver's library (driver_api.h), by default where the system finds it.
  std::filesystem::path libcuda = {};
  // Its libraries of matrix products and of convolutions (cublas.h, cudnn.h), the same.
  std::filesystem::path libcublas = {}, libcudnn = {};
};

// Something on a GPU. Its runs say how many seconds the GPU took, by the GPU's clock, and so does time(). run() throws
// GpuFault, which is an Error, where a kernel faults. A run that has begun ends when it is told to stop only where a
// worker holds the GPU, and as a fault does: what was in the device's memory is lost. Elsewhere it runs to its end.
class LoadedOnGpu : public Loaded {
 public:
  // What runs (Gpu::Bound).
  virtual const std::string& code() const = 0;
};

// A program.
class LoadedKernels : public LoadedOnGpu {
 public:
  virtual const native::GpuProgram& program() const = 0;
};

class Cuda final : public Device {
 public:
  // Opens "cuda:", the first GPU, or "cuda:1", another one. Throws Error for other URIs, and where there is no driver,
  // no such GPU, or no such program as the worker.
  static std::unique_ptr<Cuda> open(const std::string& uri, const CudaOptions& options = {});

  const std::string& uri() const override { return uri_; }
  Bytes memory_size() const override { return gpu_.info().memory; }
  void write(Bytes address, std::span<const std::byte> bytes) override { gpu_.write(address.count(), bytes); }
  void read(Bytes address, std::span<std::byte> bytes) const override { gpu_.read(address.count(), bytes); }

  int number() const { return number_; }
  const GpuInfo& info() const { return gpu_.info(); }

  // A program bound to tensors in this device's memory (gpu_tensor.h), of DLPack's type kDLCUDA and this device's
  // number; this device must outlive the result. Throws Error for tensors that do not fit (gpu_tensors.h) or are not in
  // one of its buffers, and for a program that the driver does not take, with what would help.
  std::unique_ptr<LoadedKernels> load(native::GpuProgram program, const std::vector<const DLTensor*>& tensors);
  // The same with a call of a library. Throws Error also where the library is not here, or does not do this.
  std::unique_ptr<LoadedOnGpu> load(const LibraryCall& call, const std::vector<const DLTensor*>& tensors);

  // What load() gave, one after another, as one call: all their launches go to the GPU at once, as one CUDA graph, and
  // are waited for once. They must outlive it. REQUIRES: all of them are on this device.
  std::unique_ptr<LoadedOnGpu> join(const std::vector<Loaded*>& calls);

 protected:
  Bytes allocate_bytes(Bytes size) override { return Bytes(gpu_.allocate(size)); }
  void release_bytes(Bytes address, Bytes) override { gpu_.release(address.count()); }

 private:
  Cuda(const std::string& uri, int number, const CudaOptions& options);
  // Where they are, once it is seen that they fit.
  std::vector<GpuRange> ranges_of(const native::Signature& signature, const std::vector<const DLTensor*>& tensors);

  const std::string uri_;
  const std::string name_;  // in messages: "cuda", "cuda:1"
  const int number_;
  mutable RecoveringGpu gpu_;  // reading may find that it is lost
};

// The number of the GPU that a URI of this scheme names: 0 for "cuda:", 1 for "cuda:1"; negative where it names none.
int gpu_number(std::string_view uri, std::string_view scheme);

const std::vector<DeviceKind>& cuda_kinds();

// Why "cuda:" cannot be opened, in a sentence; empty where it can.
std::string why_no_cuda(const CudaOptions& options = {});

}  // namespace vantage::driver
