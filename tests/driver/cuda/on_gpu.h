// Kernels on the GPU of this machine, where it has one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/tensor/tensor.h"
#include "compiler/backend/cuda/kernel.h"
#include "driver/cuda/cuda_device.h"

namespace vantage::test {

class OnGpu {
 public:
  // `modules` must outlive this.
  explicit OnGpu(const std::vector<cuda::Module>& modules, bool strict = false);

  // Runs a module, whose sizes must be constant and whose parameters arrays, on copies of its arguments, and returns
  // them as they are afterwards. Nothing where there is no GPU, or this one has not what the kernels need.
  std::optional<std::vector<vantage::Tensor>> run(size_t module, const std::vector<vantage::Tensor>& arrays) const;

 private:
  const std::vector<cuda::Module>& modules_;
  const bool strict_;
  std::unique_ptr<driver::Cuda> device_;
};

}  // namespace vantage::test
