// A function as a GPU runs it: kernels, and what the host does between them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::cuda {

// How many blocks a grid has, or threads a block: x, y, z.
using Extents = std::array<ir::Expr, 3>;

// What the copy engine has to know to copy boxes of a tensor (box_copy.h): one for each size of box.
struct TensorMap {
  ir::Buffer buffer;
  std::vector<int64_t> box;
  bool operator==(const TensorMap&) const = default;
};

struct Kernel {
  std::string name;
  // What it takes of the function around: buffers, then variables, each in order of its first use.
  std::vector<ir::Param> params;
  // What it takes behind those.
  std::vector<TensorMap> maps;
  // In terms of the function's sizes and scalars, and of loops of the host around the launch.
  Extents grid, block;
  // Loops bound to the indices, those of blocks outermost, with everything else inside (merge_thread_loops.h); or none,
  // for what a single thread does.
  ir::Stmt body;
};

// `host` is the function with a call kLaunch in the place of every kernel: T.cuda.launch("NAME", then the extents of
// grid and block, then the kernel's arguments).
struct Module {
  ir::PrimFunc host;
  std::vector<Kernel> kernels;
};

inline constexpr std::string_view kLaunch = "cuda.launch";

}  // namespace vantage::cuda
