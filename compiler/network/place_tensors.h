// Where a compiled network's tensors lie.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "compiler/ir/prim_func.h"
#include "network/network.h"

namespace vantage::network {

// Gives every tensor that is no constant its slot (compiler/graph/memory_plan.h). What a step reads for the last time
// it may write over: where a function is noted for that (compiler/ir/in_place.h), and where a program does no harm
// (hw/program/in_place.h). `functions` are the network's, in order; `view_of` has the tensors that are another one's
// bytes. Inputs and outputs stay from the first step to the last, so that a network may run again with what it has.
void place_tensors(Network& network, const std::vector<ir::PrimFunc>& functions,
                   const std::map<size_t, size_t>& view_of);

}  // namespace vantage::network
