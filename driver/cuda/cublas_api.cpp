#include "driver/cuda/cublas_api.h"

#include "base/error.h"
#include "driver/cuda/nvidia_library.h"

namespace vantage::driver {

namespace {

const char* meaning_for_cublas(int status) {
  switch (status) {
    case kCublasMemory: return "; the GPU's memory is full, of which cuBLAS takes some for itself";
    case kCublasArchitecture: return "; this GPU is too old for it";
    case kCublasNotSupported: return "; it has no kernel for such sizes and types on this GPU";
    default: return "";
  }
}

}  // namespace

// A function whose parameters changed has a number behind its name; its header picks it, so here it is written out.
CublasApi CublasApi::load(const std::string& file) {
  static const NvidiaLibraryNames kNames = {
      "cuBLAS", {"libcublas.so.13", "libcublas.so.12"}, "nvidia-cublas", "the CUDA toolkit (12 or later)", "CUDA 12"};
  const NvidiaLibrary library(kNames, file);
  CublasApi api{};
  library.find("cublasCreate_v2", api.create);
  library.find("cublasDestroy_v2", api.destroy);
  library.find("cublasGetVersion_v2", api.get_version);
  library.find("cublasSetStream_v2", api.set_stream);
  library.find("cublasSetMathMode", api.set_math_mode);
  library.find("cublasGetStatusName", api.status_name);
  library.find("cublasGetStatusString", api.status_text);
  library.find("cublasGemmEx", api.gemm);
  library.find("cublasGemmStridedBatchedEx", api.gemm_batched);
  return api;
}

void CublasApi::require(int status, const std::string& what) const {
  if (status == kCublasSuccess) return;
  fail("cublas: {}: {} ({}){}", what, status_name(status), status_text(status), meaning_for_cublas(status));
}

}  // namespace vantage::driver
