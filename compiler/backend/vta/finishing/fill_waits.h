#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Where the list asks for it (fills_waits): while a program's first GEMMs wait for their operands, the vector engine
// does what it can. An ALU instruction or a reset that stands behind a GEMM moves before it when nothing in between
// touches the same and it can be issued no later, by a rough estimate: the compute stage issues in order, and would
// else wait with both.
//
// Expects operations in the order in which they take effect, loads where they stay; leaves the same operations, those
// that depend on each other in the same order. It stands behind the passes that move and merge loads, and before
// end_in_slices, which looks for epilogues behind the last GEMM alone.
OperationList fill_waits(OperationList list);

}  // namespace vantage::vta
