#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Drops loads of what nobody reads from the scratchpad before it is overwritten or the program ends.
//
// Expects operations in the order in which they take effect; leaves the same without those loads, every tensor as it
// was. Scratchpads differ where nobody looks. It stands behind remove_repeated_loads, after which
// one load serves all that use it, and before loads are moved, so that none is moved for nothing.
OperationList remove_dead_loads(OperationList list);

}  // namespace vantage::vta
