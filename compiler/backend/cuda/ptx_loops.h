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
  int64_t global_loads = 0;  // which a thread waits for, unlike copies beside it
  int64_t branches = 0;      // but for the one back to its beginning
  // Products of a thread, of the type of which there are most; of tiles its share of a warp's or a warpgroup's.
  int64_t products = 0;
  std::optional<DType> operand;  // none: of integers that are not a tile's
};

// One for each kernel, in order.
std::vector<PtxLoop> busiest_loops(const std::string& ptx);

// Which share of the rate of peak.h a loop's instructions leave to what it multiplies, on a GPU of this capability: 1
// where it takes no longer to issue them, one a clock for each quarter of a multiprocessor, than to multiply. It is a
// little low, as machine code has fewer of them. Nothing where the rate is not known.
std::optional<double> share_of_peak(const PtxLoop& loop, int capability);

}  // namespace vantage::cuda
