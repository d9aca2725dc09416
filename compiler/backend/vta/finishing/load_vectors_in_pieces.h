#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Where the list asks for slices, cuts loads of accumulators of which different operations take a piece each, as tiles
// do of a bias that stays. The first piece stays where the load was; each other one stands before what takes it, where
// it hides behind the GEMMs of another thread. As a whole it would share the bus with what the first sums multiply, and
// they would wait for all of it. Where the GEMM core has no more to do than the vector engine there is nothing to hide
// behind, and the list stays as it is.
//
// Expects operations in the order in which they take effect; leaves the same steps and transfers. It stands behind
// merge_transfers, which would put pieces together again that nothing stands between.
OperationList load_vectors_in_pieces(OperationList list);

}  // namespace vantage::vta
