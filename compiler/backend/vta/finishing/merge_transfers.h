#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Makes one of neighbouring transfers that continue each other, as a longer row or as more rows, as far as the fields
// of an instruction reach.
//
// Expects operations in the order in which they take effect; leaves fewer, every scratchpad and tensor as it was. A
// merged transfer declares the box around what its parts touch. It stands behind load_in_order_of_use, which brings
// together what is needed at one time and keeps apart what is not, and before anything else stands between transfers.
OperationList merge_transfers(OperationList list);

}  // namespace vantage::vta
