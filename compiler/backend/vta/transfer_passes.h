// Improvements of the recorded operations, each leaving what every scratchpad and tensor holds as it was.
#pragma once

#include <vector>

#include "compiler/backend/vta/operation.h"

namespace vantage::vta {

// Drops loads of what still lies in its place.
void remove_repeated_loads(std::vector<Operation>& operations);

// Drops loads of what is never read from the scratchpad.
void remove_dead_loads(std::vector<Operation>& operations);

// Makes one of neighbouring transfers that continue each other, as a longer row or as more rows.
void merge_transfers(std::vector<Operation>& operations);

// Moves loads of the load stage down to just before the first operation that needs them. That stage runs ahead of the
// others anyway; in the order of need, the first GEMM does not wait for what only the last one uses.
void load_in_order_of_use(std::vector<Operation>& operations);

}  // namespace vantage::vta
