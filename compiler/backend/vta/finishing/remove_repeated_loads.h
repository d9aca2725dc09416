#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Drops loads of what still lies in its place: all that they would bring was brought by loads before, one or several,
// and neither it nor its source has been written since.
//
// Expects operations in the order in which they take effect, as recorded; leaves the same without those loads, every
// scratchpad and tensor as it was at every other operation. It stands first because the passes behind it move and join
// what it may drop.
OperationList remove_repeated_loads(OperationList list);

}  // namespace vantage::vta
