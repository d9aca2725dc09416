#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Drops loads of what still lies in its place: the same transfer came before, and neither its elements nor its source
// have been written since.
//
// Expects operations in the order in which they take effect, as recorded; leaves the same without those loads, every
// scratchpad and tensor as it was at every other operation. It stands first because it recognises a repetition by its
// whole transfer, which moving and merging would cut and join differently.
OperationList remove_repeated_loads(OperationList list);

}  // namespace vantage::vta
