#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Where vector steps take longer than GEMM's all in all, moves an ALU instruction before the GEMM in front of it when
// that waits for a reset just before: the vector engine goes from the reset to the ALU instruction at once, while the
// sums could not begin before the reset has ended either.
//
// Expects operations in the order in which they take effect; leaves the same operations, those that depend on each
// other in the same order. It stands behind the passes that remove operations, which would part a GEMM from its reset,
// and before load_in_order_of_use, whose loads follow what computes.
OperationList epilogues_first(OperationList list);

}  // namespace vantage::vta
