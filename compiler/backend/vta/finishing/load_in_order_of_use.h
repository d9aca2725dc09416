#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Moves loads of the load stage down to just before the first operation that needs them. That stage runs ahead of the
// others anyway; in the order of need, the first GEMM does not wait for what only the last one uses.
//
// Expects operations in the order in which they take effect; leaves the same ones, no two that conflict having changed
// places. It stands behind the passes that drop loads, which would otherwise be moved for nothing, and before
// merge_transfers: what is needed at different times lies apart then and is not merged.
OperationList load_in_order_of_use(OperationList list);

}  // namespace vantage::vta
