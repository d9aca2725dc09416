#include "cli/gpu_target.h"

#include "base/error.h"
#include "base/installation.h"
#include "cli/gpu_code.h"
#include "compiler/backend/cuda/program.h"
#include "workload/measure_gpu.h"

namespace vantage::cli {

bool is_gpu(const std::string& uri) {
  return driver::gpu_number(uri, "cuda:") >= 0 || driver::is_gpu_library(uri);
}

void require_gpu(const std::string& uri) {
  const std::string why = driver::is_gpu_library(uri) ? driver::why_no_gpu_library(uri) : driver::why_no_cuda();
  if (!why.empty()) fail("target '{}' is not on this machine: {}", uri, why);
  if (!driver::is_gpu_library(uri)) cuda::Nvrtc::load();  // which says what would help
}

workload::Measurement measure_on_gpu_target(const workload::Comparison& comparison, const std::string& uri,
                                            const driver::TimeOptions& time) {
  driver::CudaOptions options;
  options.worker = installed_helper("vantage-gpu");
  if (driver::is_gpu_library(uri)) {
    return workload::measure_on_gpu_library(comparison, *driver::GpuLibrary::open(uri, options), time);
  }
  const auto compiler = [&](const ir::PrimFunc& scheduled, const std::string& architecture) {
    return cuda::compile(scheduled, {.architecture = architecture}, *load_nvrtc());
  };
  return workload::measure_on_gpu(comparison, *driver::Cuda::open(uri, options), time, compiler);
}

}  // namespace vantage::cli
