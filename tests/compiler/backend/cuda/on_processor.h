// Kernels' text, compiled as C++ and run on this processor (shim/cuda_on_processor.h).
#pragma once

#include <filesystem>
#include <vector>

#include "base/temporary.h"
#include "base/tensor/tensor.h"
#include "compiler/backend/cuda/codegen.h"

namespace vantage::test {

class OnProcessor {
 public:
  // Compiles the kernels of all modules as one library; their functions' names must differ. Throws ToolError.
  explicit OnProcessor(const std::vector<cuda::Module>& modules);

  // Runs a module on copies of its buffers, of constant sizes, and returns them as they are afterwards. Throws Error
  // where threads wait for some that do not come.
  std::vector<Tensor> run(size_t module, std::vector<Tensor> arrays) const;

  // The library, which has each kernel also as a function cuda_NAME that takes its arguments as cuLaunchKernel does,
  // and their number as cuda_parameters_NAME.
  std::filesystem::path library() const { return folder_.path() / "kernels.so"; }

 private:
  const std::vector<cuda::Module>& modules_;
  TemporaryDirectory folder_;
  void* library_ = nullptr;
};

// What is in a module's kernels, as the library has it: the text that users see.
std::string source_of(const cuda::Module& module);

}  // namespace vantage::test
