#include "driver/cuda/gpu_library.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "driver/cuda/cublas.h"
#include "driver/cuda/cudnn.h"
#include "driver/cuda/gpu_tensor.h"

namespace vantage::driver {

namespace {

constexpr const char *kCublas = "cublas:", *kCudnn = "cudnn:";

// The number of the GPU; negative where it is no library's.
int number_of(const std::string& uri) {
  return std::max(gpu_number(uri, kCublas), gpu_number(uri, kCudnn));
}

// With the weights that it reads.
class LoadedConvolution final : public LoadedOnGpu {
 public:
  LoadedConvolution(Cuda& gpu, const LibraryCall& call, const Tensor& weights,
                    const std::vector<const DLTensor*>& tensors)
      : weights_(gpu, weights), loaded_(gpu.load(call, {tensors[0], weights_.tensor(), tensors[1]})) {}

  const std::string& code() const override { return loaded_->code(); }

 protected:
  RunResult run_once(const RunOptions& options) override { return loaded_->run(options); }
  Timing time_runs(const TimeOptions& time, const RunOptions& options) override { return loaded_->time(time, options); }

 private:
  const GpuTensor weights_;
  const std::unique_ptr<LoadedOnGpu> loaded_;
};

}  // namespace

GpuLibrary::GpuLibrary(const std::string& uri, int number, const CudaOptions& options)
    : uri_(uri),
      is_cublas_(uri.starts_with(kCublas)),
      file_((is_cublas_ ? options.libcublas : options.libcudnn).string()),
      gpu_(Cuda::open(number == 0 ? "cuda:" : fmt::format("cuda:{}", number), options)) {
  is_cublas_ ? require_cublas(file_) : require_cudnn(file_);
}

std::unique_ptr<GpuLibrary> GpuLibrary::open(const std::string& uri, const CudaOptions& options) {
  const int number = number_of(uri);
  if (number < 0) {
    fail("target '{}' is no library of a GPU; there are '{}' and '{}', and '{}1' on the second GPU", uri, kCublas,
         kCudnn, kCublas);
  }
  return std::unique_ptr<GpuLibrary>(new GpuLibrary(uri, number, options));
}

const std::vector<DType>& GpuLibrary::types() const {
  return is_cublas_ ? cublas_types() : cudnn_types();
}

bool GpuLibrary::has(DType dtype) const {
  return std::find(types().begin(), types().end(), dtype) != types().end();
}

std::unique_ptr<LoadedOnGpu> GpuLibrary::matmul(const MatmulShape& shape, const std::vector<const DLTensor*>& tensors) {
  if (!is_cublas_) fail("{} convolves images, and multiplies no matrices; 'cublas:' does", uri_);
  require_cublas_shape(shape);
  return gpu_->load({shape, file_}, tensors);
}

std::unique_ptr<LoadedOnGpu> GpuLibrary::conv2d(const Conv2dShape& shape, const Tensor& weights,
                                                const std::vector<const DLTensor*>& tensors) {
  if (is_cublas_) fail("{} multiplies matrices, and convolves no images; 'cudnn:' does", uri_);
  const Convolution convolution{shape, weights.dtype()};
  require_cudnn_shape(convolution);
  const Tensor::Shape expected = {shape.out_channels, shape.in_channels, shape.kernel_h, shape.kernel_w};
  if (weights.shape() != expected) {
    fail("{} the weights are {}[{}], expected [{}]", uri_, name(weights.dtype()), fmt::join(weights.shape(), ", "),
         fmt::join(expected, ", "));
  }
  if (tensors.size() != 2) fail("{} {} tensors were given, expected 2", uri_, tensors.size());
  return std::make_unique<LoadedConvolution>(*gpu_, LibraryCall{convolution, file_}, weights.permuted({0, 2, 3, 1}),
                                             tensors);
}

bool is_gpu_library(const std::string& uri) {
  return number_of(uri) >= 0;
}

const std::vector<DeviceKind>& gpu_library_kinds() {
  static const std::vector<DeviceKind> kKinds = {
      {kCublas, "an NVIDIA GPU, by cuBLAS: matrix products"},
      {kCudnn, "an NVIDIA GPU, by cuDNN: convolutions of floats"},
  };
  return kKinds;
}

std::string why_no_gpu_library(const std::string& uri, const CudaOptions& options) {
  std::string why = why_no_cuda(options);
  if (!why.empty()) return why;
  try {
    uri.starts_with(kCublas) ? require_cublas(options.libcublas) : require_cudnn(options.libcudnn);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace vantage::driver
