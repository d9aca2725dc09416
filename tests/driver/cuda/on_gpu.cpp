#include "tests/driver/cuda/on_gpu.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/program.h"
#include "driver/cuda/gpu_tensor.h"
#include "tests/driver/cuda/some_gpu.h"

namespace vantage::test {

OnGpu::OnGpu(const std::vector<cuda::Module>& modules, bool strict) : modules_(modules), strict_(strict) {
  if (has_real_gpu()) device_ = driver::Cuda::open("cuda:", some_gpu());
}

std::optional<std::vector<vantage::Tensor>> OnGpu::run(size_t number,
                                                       const std::vector<vantage::Tensor>& arrays) const {
  if (!device_) return std::nullopt;
  const cuda::Module& module = modules_[number];
  const cuda::Architecture& architecture = cuda::architecture_of(device_->info().capability);
  std::vector<cuda::KernelCode> codes;
  for (const cuda::Kernel& kernel : module.kernels) {
    codes.push_back(cuda::write_kernel(kernel, strict_));
    try {
      cuda::require_instructions(architecture, kernel.name, codes.back());
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  native::GpuProgram program = cuda::plan_program(module);
  cuda::GpuCode code =
      cuda::Nvrtc::load()->compile(cuda::write_source(codes), module.host.name, {.architecture = architecture.name});
  program.architecture = architecture.name;
  program.cubin = std::move(code.cubin);
  program.ptx = std::move(code.ptx);
  std::vector<std::unique_ptr<driver::GpuTensor>> tensors;
  std::vector<const DLTensor*> pointers;
  for (const vantage::Tensor& array : arrays) {
    tensors.push_back(std::make_unique<driver::GpuTensor>(*device_, array));
    pointers.push_back(tensors.back()->tensor());
  }
  device_->load(std::move(program), pointers)->run();
  std::vector<vantage::Tensor> results;
  for (const auto& tensor : tensors) results.push_back(tensor->read());
  return results;
}

}  // namespace vantage::test
