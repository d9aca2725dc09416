// The passes over graphs by name, in the order in which they help each other.
#pragma once

#include <vector>

#include "compiler/graph/text.h"
#include "compiler/passes/pass.h"

namespace vantage::graph {

// To be run by passes::run_passes(), which shows an observer what each of them left.
using GraphPass = passes::PassOn<Graph>;

// What every target gains by. Batch norms are folded first, since they need the weights as they were given; constants
// next, so that common calls and what nobody needs any more are found among what is left.
std::vector<GraphPass> simplifying_passes();

}  // namespace vantage::graph
