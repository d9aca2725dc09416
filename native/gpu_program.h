// A function that was compiled for a GPU, as data: what the compiler makes, and what a device of CUDA runs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "native/signature.h"

namespace vantage::native {

struct GpuKernel {
  std::string name;
  // Of a block. The kernel declares it, or is given it at every launch.
  uint64_t shared_bytes = 0;
  bool is_given = false;
};

// What a kernel is given in the place of one of its parameters.
struct GpuArgument {
  enum class Kind : uint8_t {
    kParameter,  // the address of a tensor: `value` is the number of the function's parameter
    kTemporary,  // the address of temporary memory: `value` is its number
    kScalar,     // `value` begins, as memory has it, with the bytes that the kernel's parameter takes
    kTensorMap,  // what the copy engine knows of a tensor: `value` is the number of one of the program's
  };
  Kind kind = Kind::kParameter;
  uint64_t value = 0;
  bool operator==(const GpuArgument&) const = default;
};

// A tensor that kernels have boxes of copied to shared memory in the order that its 128-byte swizzle has: zeros outside
// of it. Dimensions as the tensor has them, the one of elements side by side last.
struct GpuTensorMap {
  GpuArgument tensor;  // a parameter or temporary
  DLDataType dtype{};
  std::vector<uint64_t> shape, strides;  // strides in bytes
  std::vector<uint32_t> box;
};

struct GpuLaunch {
  uint32_t kernel = 0;  // of GpuProgram::kernels
  std::array<uint32_t, 3> grid{}, block{};
  std::vector<GpuArgument> arguments;
};

// Sizes are numbers, scalars have their values: all that a call still needs are the tensors.
struct GpuProgram {
  Signature signature;        // tensors only, dense or with strides that are numbers too
  std::vector<bool> is_read;  // of each parameter: whether it may matter what it holds when a call begins
  std::string architecture;   // whose machine code it is: "sm_80"
  std::string toolkit;        // the version of CUDA that made it: "13.0"
  std::string cubin;          // the machine code
  std::string ptx;            // the same as text, from which a GPU's driver can make other machine code
  std::vector<GpuKernel> kernels;
  std::vector<uint64_t> temporaries;  // bytes of device memory that a call needs besides
  std::vector<GpuTensorMap> tensor_maps;
  std::vector<GpuLaunch> launches;  // one after the other, each sees what those before it wrote
};

}  // namespace vantage::native
