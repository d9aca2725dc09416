#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Where the list asks for slices, cuts the epilogues behind its last GEMM and their stores into slices, so that one is
// stored while the ALU works on the next.
//
// Expects operations in the order in which they take effect; leaves the same steps and transfers. It stands behind
// merge_transfers, which would put the stores together again.
OperationList end_in_slices(OperationList list);

}  // namespace vantage::vta
