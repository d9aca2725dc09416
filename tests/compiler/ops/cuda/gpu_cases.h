// Functions and their default schedules for GPUs, run in every way that there is.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tensor/tensor.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/ir/prim_func.h"
#include "tests/compiler/ops/random_call.h"

namespace vantage::test {

using Given = std::vector<std::pair<std::string, ops::Attribute>>;

RandomCall call_of(const std::string& name, const std::vector<TensorType>& inputs, Given given = {});

// A function as its schedule is lowered, and what it makes of arrays.
struct GpuCase {
  std::string what;
  ir::PrimFunc lowered;
  std::vector<Tensor> arrays, expected;
};
// For an architecture, or without one for that of which it is the `number`'s turn, which is in the function's name.
GpuCase case_of(std::string what, ir::PrimFunc function, size_t number, std::vector<Tensor> arrays,
                const std::string& architecture = "");

// Operands as they are, and outputs that hold anything.
std::vector<Tensor> arrays_of(const ir::PrimFunc& function, std::vector<Tensor> operands);

// Fails the running test where a case has other results by the threads of the interpreter, by a processor or by a GPU,
// if there is one; floats are added in another order than the formula's. NVIDIA's compiler must take the kernels for
// each of the architectures, if it is here.
void check_cases(const std::vector<GpuCase>& cases, const cuda::Nvrtc* nvrtc,
                 const std::vector<std::string>& architectures);

// What NVIDIA's compiler makes of a schedule that is too large to be interpreted: without spills and in registers.
struct Compiled {
  std::string text;  // of the kernels
  cuda::GpuCode code;
  size_t count(std::string_view what) const;
};
Compiled compiled(const RandomCall& call, const cuda::Nvrtc* nvrtc, const std::string& architecture = "sm_80");

}  // namespace vantage::test
