// A function on the VTA, whatever it computes: the task of its program, and what the program's tensors are.
//
// Thread safety: values and functions without state.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/network/vta/conv.h"
#include "compiler/network/vta/function.h"
#include "compiler/ops/vta_task.h"

namespace vantage::network {

// What a program's tensor is.
struct VtaOperand {
  std::string name;  // of the program's tensor
  enum class Kind : uint8_t { kInput, kConstant, kOutput } kind = Kind::kInput;
  size_t input = 0;                    // of the function's
  std::function<Tensor()> value = {};  // makes a constant, in tiles
};

struct VtaLayer {
  ops::VtaTask task;
  std::vector<VtaOperand> operands;
  uint64_t useful = 0, padded = 0;  // multiplications, of what the function says and of its whole tiles
  uint64_t operations = 0;  // that the function takes on a processor: products, pixels of windows, steps of elements
};

// Throws Error that says why the VTA cannot compute it. `config` must outlive the result.
VtaLayer read_layer(const BoundFunction& function, const isa::Config& config);

}  // namespace vantage::network
