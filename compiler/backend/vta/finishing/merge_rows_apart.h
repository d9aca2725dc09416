#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Makes one load of neighbouring ones that bring rows of one length to places a little apart in a scratchpad, as those
// of a last and shorter piece are: with zeros behind each row, where nobody needs what the zeros fall on.
//
// Expects operations in the order in which they take effect; leaves fewer, every tensor as it was, and of every
// scratchpad what a later operation reads. A merged load declares all that it writes, zeros included, and so waits for
// those who still read there. It stands behind merge_transfers, which makes rows of pieces, and before anything else
// stands between transfers.
OperationList merge_rows_apart(OperationList list);

}  // namespace vantage::vta
