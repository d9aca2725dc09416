// What a kernel's time goes into, told from its PTX: the loop that multiplies most, and what else it does.
//
// Source: NVIDIA's PTX ISA 9.0, "Instruction Set".
//
// Thread safety: a function without state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vantage::cuda {

struct PtxLoop {
  std::string kernel;
  // Of one turn of the innermost loop that has most multiplications; of the whole kernel where no loop has any.
  // Predicates, branches and moves count as what they are: an instruction each. Machine code has fewer of these.
  int64_t instructions = 0;
  int64_t multiplies = 0;  // that add what they multiply: of numbers, of four bytes, and of tiles
  int64_t shared_loads = 0;
};

// One for each kernel, in order.
std::vector<PtxLoop> busiest_loops(const std::string& ptx);

}  // namespace vantage::cuda
