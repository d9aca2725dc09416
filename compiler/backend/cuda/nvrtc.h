// NVIDIA's compiler from CUDA C++ to machine code, as a library that is loaded when it is first asked for: where it is
// not installed everything else works. It needs neither a GPU nor CUDA's headers.
//
// Thread safety: const access from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/backend/cuda/architecture.h"

namespace vantage::cuda {

// What the machine code of a kernel takes, as ptxas tells it.
struct KernelUse {
  std::string name;
  int64_t registers = 0;  // of a thread
  // Of a thread's values that had no register: bytes on its stack, and moved by instructions there and back.
  int64_t stack_bytes = 0, spill_store_bytes = 0, spill_load_bytes = 0;
  int64_t shared_bytes = 0;  // declared
};

struct GpuCode {
  std::string ptx, cubin;
  std::vector<KernelUse> kernels;
  // What the compiler could not do as it was asked to, in its words: products of a warpgroup that wait for each other,
  // say.
  std::vector<std::string> losses = {};
};

struct CompileOptions {
  std::string architecture = "sm_80";
  // How kernels are written (codegen.h). NVRTC itself makes one instruction of several nowhere.
  bool strict = false;
};

class Nvrtc {
 public:
  virtual ~Nvrtc() = default;

  // The first of these libraries that is there and has all that is needed. Throws Error that says what was looked for,
  // and where it can be had.
  static std::shared_ptr<const Nvrtc> load(const std::vector<std::string>& libraries = usual_libraries());
  // The newest first.
  static const std::vector<std::string>& usual_libraries();

  virtual std::string version() const = 0;  // "13.0"
  // Those that it makes code for: "sm_80".
  virtual std::vector<std::string> architectures() const = 0;
  // `name` is the source's in messages. Throws ToolError with the compiler's words for a source that is wrong, which is
  // a fault of ours, and Error for an architecture that it does not know.
  virtual GpuCode compile(const std::string& source, const std::string& name, const CompileOptions& options) const = 0;
};

// What the compiler is told besides the architecture.
std::vector<std::string> nvrtc_arguments();
// The lines of ptxas that tell of lost performance.
std::vector<std::string> parse_losses(const std::string& log);
// What ptxas -v says of each kernel.
std::vector<KernelUse> parse_ptxas(const std::string& log);

}  // namespace vantage::cuda
