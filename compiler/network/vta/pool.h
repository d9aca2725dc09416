// Pooling on the VTA: from a function of a graph to compiler/ops/pool.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/network/vta/function.h"
#include "compiler/ops/pool/vta_pool.h"

namespace vantage::network {

// Throws Error that says what of it the ALU cannot do. REQUIRES: the function calls max_pool2d.
ops::VtaPool read_max_pool(const BoundFunction& function, const isa::Config& config);

}  // namespace vantage::network
