// Kernels' text, compiled as C++ and run on this processor (shim/cuda_on_processor.h).
#pragma once

#include <filesystem>
#include <vector>

#include "base/temporary.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "tests/compiler/ir/interpreter/inputs.h"

namespace vantage::test {

class OnProcessor {
 public:
  // Compiles the kernels of all modules as one library; their functions' names must differ. Throws ToolError.
  explicit OnProcessor(const std::vector<cuda::Module>& modules, bool strict = false);

  // Runs a module on copies of its arguments, and returns them as they are afterwards. Sizes must be constant. Throws
  // Error where threads wait for some that do not come.
  std::vector<Input> run(size_t module, std::vector<Input> inputs) const;
  std::vector<Tensor> run(size_t module, const std::vector<Tensor>& arrays) const;

  // The library, with the functions of SHIM_KERNEL (shim/call.h).
  std::filesystem::path library() const { return folder_.path() / "kernels.so"; }

 private:
  const std::vector<cuda::Module>& modules_;
  TemporaryDirectory folder_;
  void* library_ = nullptr;
};

// Several modules' kernels as one source.
std::string source_of(const std::vector<cuda::Module>& modules, bool strict = false);

// What NVIDIA's compiler has against a source, with its lines; "" where it makes code of all of it.
std::string complaint(const cuda::Nvrtc& nvrtc, const std::string& source, const std::string& architecture);
// Null, with a warning, where it is not installed.
std::shared_ptr<const cuda::Nvrtc> nvrtc_if_here();

}  // namespace vantage::test
