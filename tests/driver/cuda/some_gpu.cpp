#include "tests/driver/cuda/some_gpu.h"

#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/program.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "driver/cuda/gpu_library.h"

namespace vantage::test {

namespace {

std::vector<cuda::Module> modules_of(const std::vector<ir::PrimFunc>& functions) {
  std::vector<cuda::Module> modules;
  for (const ir::PrimFunc& function : functions) modules.push_back(cuda::split_kernels(cuda::lower(function)));
  return modules;
}

std::string architecture_here() {
  static const std::string kName =
      cuda::architecture_of(driver::Cuda::open("cuda:", some_gpu())->info().capability).name;
  return kName;
}

}  // namespace

bool has_real_gpu() {
  static const bool kHas = driver::why_no_cuda().empty();
  return kHas;
}

driver::CudaOptions some_gpu() {
  if (!has_real_gpu()) return stand_in_apart();
  driver::CudaOptions options;
  options.worker = VANTAGE_GPU;
  return options;
}

driver::CudaOptions stand_in_here() {
  return {.worker = {},
          .libcuda = VANTAGE_STAND_IN_LIBCUDA,
          .libcublas = VANTAGE_STAND_IN_LIBCUBLAS,
          .libcudnn = VANTAGE_STAND_IN_LIBCUDNN};
}

driver::CudaOptions stand_in_apart() {
  driver::CudaOptions options = stand_in_here();
  options.worker = VANTAGE_GPU;
  return options;
}

driver::CudaOptions some_library(const std::string& uri) {
  return driver::why_no_gpu_library(uri).empty() ? some_gpu() : stand_in_apart();
}

GpuPrograms::GpuPrograms(std::vector<ir::PrimFunc> scheduled)
    : functions_(std::move(scheduled)), modules_(modules_of(functions_)), processor_(modules_) {}

native::GpuProgram GpuPrograms::get(size_t i, const driver::CudaOptions& options, const ir::VarMap& values) const {
  if (options.libcuda.empty()) {
    return cuda::compile(functions_[i], {.architecture = architecture_here(), .strict = true}, *cuda::Nvrtc::load(),
                         values);
  }
  native::GpuProgram program = cuda::plan_program(modules_[i], values);
  program.architecture = "sm_80";
  program.toolkit = "13.0";
  program.cubin = cubin();
  program.ptx = ptx();
  return program;
}

std::string GpuPrograms::cubin(const std::string& architecture) const {
  return fmt::format("stand-in cubin {} {}", architecture, processor_.library().string());
}

std::string GpuPrograms::ptx(const std::string& version, const std::string& architecture) const {
  return fmt::format("stand-in ptx {} {} {}", version, architecture, processor_.library().string());
}

}  // namespace vantage::test
