#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Where the list asks for it, leaves out products with the zeros that loads put around an image: of a GEMM's micro-ops
// those whose inputs are all zeros, and of the others the first and the last iterations that multiply nothing else. A
// GEMM becomes several where its micro-ops keep different iterations, if that saves more than instructions take. Each
// of these is noted to touch what the whole one did.
//
// Expects operations in the order in which they take effect; leaves the same sums. It stands behind what cuts GEMMs and
// changes transfers, which take a GEMM for all that is done with its operands, and before place_micro_ops.
OperationList skip_zeros(OperationList list);

}  // namespace vantage::vta
