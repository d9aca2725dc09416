#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Where the list asks for slices, cuts a program's first GEMMs and what is loaded for them into slices, if the first
// one can then begin long before all of the operands are there, and those again, for as long as that holds for them.
//
// Expects operations in the order in which they take effect; leaves the same steps and transfers. It stands before
// load_in_order_of_use, which keeps each slice's loads in front of it, and before merge_transfers, which then finds
// nothing to put together again.
OperationList begin_in_slices(OperationList list);

}  // namespace vantage::vta
