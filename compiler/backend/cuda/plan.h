// What the host does for one call of a function, once all sizes are known: one launch after the other.
//
// Thread safety: functions without state.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/backend/cuda/kernel.h"
#include "compiler/ir/substitute.h"

namespace vantage::cuda {

struct Launch {
  size_t kernel = 0;  // of Module::kernels
  std::array<int64_t, 3> grid{}, block{};
  std::vector<ir::Expr> values;  // of the kernel's parameters that are variables, in order: literals
  // Of the tensors of the kernel's maps, in order: elements.
  std::vector<std::vector<int64_t>> map_shapes, map_strides;
  int64_t threads() const { return block[0] * block[1] * block[2]; }
};

struct Temporary {
  ir::Buffer buffer;
  int64_t bytes = 0;
};

struct Plan {
  std::vector<Temporary> temporaries;  // device memory that lasts as long as the call; each buffer once
  std::vector<Launch> launches;
};

// More launches than that are a loop that belongs into a kernel.
inline constexpr size_t kMostLaunches = 100000;

// `values`: literals for the function's scalars and for the variables in its parameters' shapes. Throws Error where
// something is not known for want of one, which it names, and for more than kMostLaunches launches.
Plan plan_calls(const Module& module, const ir::VarMap& values = {});

// Why an expression is no number: "n is not given".
std::string why_unknown(const ir::Expr& expr);

}  // namespace vantage::cuda
