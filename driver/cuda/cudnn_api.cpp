#include "driver/cuda/cudnn_api.h"

#include <array>

#include "base/error.h"
#include "driver/cuda/nvidia_library.h"

namespace vantage::driver {

namespace {

const char* meaning_for_cudnn(int status) {
  switch (status) {
    case kCudnnNotInitialized:
    case kCudnnMismatch:
    case kCudnnSubLibrary:
      return "; libcudnn consists of several libraries, all of which must be of one version and in one folder of "
             "LD_LIBRARY_PATH";
    case kCudnnOldDriver:
      return "; NVIDIA's driver is older than this cuDNN; install a newer driver, or an older cuDNN";
    case kCudnnHostMemory:
    case kCudnnMemory: return "; memory is full";
    default: break;
  }
  constexpr int kKind = 1000;
  return status / kKind == kCudnnNotSupported / kKind ? "; it has no kernel for such sizes and types on this GPU" : "";
}

}  // namespace

CudnnApi CudnnApi::load(const std::string& file) {
  static const NvidiaLibraryNames kNames = {
      "cuDNN", {"libcudnn.so.9"}, "nvidia-cudnn-cu13", "NVIDIA's cuDNN 9", "cuDNN 9"};
  const NvidiaLibrary library(kNames, file);
  CudnnApi api{};
  library.find("cudnnGetVersion", api.get_version);
  library.find("cudnnGetErrorString", api.error_text);
  library.find("cudnnGetLastErrorString", api.last_error);
  library.find("cudnnCreate", api.create);
  library.find("cudnnDestroy", api.destroy);
  library.find("cudnnSetStream", api.set_stream);
  library.find("cudnnCreateTensorDescriptor", api.create_tensor);
  library.find("cudnnSetTensor4dDescriptor", api.set_tensor);
  library.find("cudnnDestroyTensorDescriptor", api.destroy_tensor);
  library.find("cudnnCreateFilterDescriptor", api.create_filter);
  library.find("cudnnSetFilter4dDescriptor", api.set_filter);
  library.find("cudnnDestroyFilterDescriptor", api.destroy_filter);
  library.find("cudnnCreateConvolutionDescriptor", api.create_convolution);
  library.find("cudnnSetConvolution2dDescriptor", api.set_convolution);
  library.find("cudnnSetConvolutionMathType", api.set_math);
  library.find("cudnnDestroyConvolutionDescriptor", api.destroy_convolution);
  library.find("cudnnFindConvolutionForwardAlgorithm", api.find);
  library.find("cudnnGetConvolutionForwardWorkspaceSize", api.workspace_size);
  library.find("cudnnConvolutionForward", api.forward);
  return api;
}

std::string CudnnApi::version() const {
  const size_t version = get_version();
  return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

void CudnnApi::require(int status, const std::string& what) const {
  if (status == kCudnnSuccess) return;
  std::array<char, 512> text{};
  last_error(text.data(), text.size());
  text.back() = '\0';
  const std::string more = text.data();
  fail("cudnn: {}: {}{}{}", what, error_text(status), more.empty() ? "" : " (" + more + ")", meaning_for_cudnn(status));
}

}  // namespace vantage::driver
