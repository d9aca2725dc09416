#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Where the list asks for slices, cuts the epilogues behind its last GEMM and their stores into slices, so that one is
// stored while the ALU works on the next. The last GEMM is cut, too, where it runs beside the first of these epilogues:
// instructions retire in order, so a result is not stored before the GEMM in front of its epilogue has ended.
//
// Expects operations in the order in which they take effect; leaves the same steps and transfers. It stands behind
// merge_transfers, which would put the stores together again.
OperationList end_in_slices(OperationList list);

}  // namespace vantage::vta
