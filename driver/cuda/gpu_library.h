// NVIDIA's own libraries as devices, to compare what the compiler makes with: cuBLAS multiplies matrices, cuDNN
// convolves images (cublas.h and cudnn.h say how).
//
// Thread safety: none; use a library and what is loaded from one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/tensor/tensor.h"
#include "driver/cuda/cuda_device.h"

namespace vantage::driver {

class GpuLibrary {
 public:
  // Opens "cublas:" or "cudnn:" on the first GPU, or "cublas:1" on another one. Throws Error for other URIs, and where
  // there is no such GPU or no such library, with where it can be had.
  static std::unique_ptr<GpuLibrary> open(const std::string& uri, const CudaOptions& options = {});

  const std::string& uri() const { return uri_; }
  // The GPU that it runs on, in whose memory tensors must lie (gpu_tensor.h). They, and this, must outlive what is
  // loaded.
  Cuda& gpu() { return *gpu_; }

  // The types of operands that it multiplies. Floats give floats of the same type, int8 gives int32.
  const std::vector<DType>& types() const;
  bool has(DType dtype) const;

  // On tensors {A, B, C} of the shapes that MatmulShape tells. Throws Error for what the library does not do, and for
  // tensors that do not fit.
  std::unique_ptr<LoadedOnGpu> matmul(const MatmulShape& shape, const std::vector<const DLTensor*>& tensors);
  // On tensors {A, C} of images [batch][height][width][channels]. The weights, [out channels][in channels][kernel
  // rows][kernel columns] of the images' type, are brought into the library's own layout here, once. Throws Error like
  // matmul().
  std::unique_ptr<LoadedOnGpu> conv2d(const Conv2dShape& shape, const Tensor& weights,
                                      const std::vector<const DLTensor*>& tensors);

 private:
  GpuLibrary(const std::string& uri, int number, const CudaOptions& options);

  const std::string uri_;
  const bool is_cublas_;
  const std::string file_;
  const std::unique_ptr<Cuda> gpu_;
};

// Whether a URI is one of theirs: "cublas:", "cudnn:1".
bool is_gpu_library(const std::string& uri);
const std::vector<DeviceKind>& gpu_library_kinds();

// Why such a URI cannot be opened, in a sentence; empty where it can, as far as that is seen without starting anything.
std::string why_no_gpu_library(const std::string& uri, const CudaOptions& options = {});

}  // namespace vantage::driver
