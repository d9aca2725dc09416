// Products of the processor on panels.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/backend/cpu/target.h"
#include "compiler/graph/graph.h"

namespace vantage::network {

// Calls of the processor that multiply matrices of float32 (dense, matmul), of more rows than a few, and convolutions
// (conv2d, in one group) do so in panels as wide as suits this processor (compiler/ops/matmul/panels.h): constants are
// packed here, once, and what is computed before it is multiplied. The names of values and functions stay.
graph::Graph pack_products(graph::Graph graph, const cpu::Target& target);

}  // namespace vantage::network
