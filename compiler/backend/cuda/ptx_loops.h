// What a kernel's time goes into, told from its PTX: the loop that multiplies most, and what else it does.
//
// Source: NVIDIA's PTX ISA 9.0, "Instruction Set".
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/dtype.h"

namespace vantage::cuda {

struct PtxLoop {
  std::string kernel;
  // Of one turn of the innermost loop that has most multiplications; of the whole kernel where no loop has any.
  // Predicates, branches and moves count as what they are: an instruction each. Machine code has fewer of these.
  int64_t instructions = 0;
  int64_t multiplies = 0;  // that add what they multiply: of numbers, of four bytes, and of tiles
  int64_t shared_loads = 0;
  // Products of a thread, of the type of which there are most; of tiles its share of a warp's or a warpgroup's.
  int64_t products = 0;
  std::optional<DType> operand;  // none: of integers that are not a tile's
};

// One for each kernel, in order.
std::vector<PtxLoop> busiest_loops(const std::string& ptx);

// How busy a loop keeps what multiplies on a GPU of this capability, at most: 1 where it takes no longer to issue its
// instructions, one a clock for each quarter of a multiprocessor, than to multiply at the rate of peak.h. Nothing where
// that is not known.
std::optional<double> most_busy(const PtxLoop& loop, int capability);

}  // namespace vantage::cuda
