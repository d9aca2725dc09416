#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Gives every kernel its place in the program's table of micro-ops and in the micro-op scratchpad, and puts in the
// loads that bring it there. Where all kernels fit beside each other, one load at the beginning brings them, rather
// than one latency each; if the list asks for slices, a few do, each behind an instruction that is long under way.
// Otherwise the scratchpad is a cache (micro_op_cache.h). Where the list says so, kernels share micro-ops.
//
// Expects GEMM and ALU operations with a kernel each, of no more micro-ops than the scratchpad holds, and no loads of
// micro-ops; leaves operations without kernels, whose uop_bgn and uop_end are set, and `uops` in the order of first
// use. It stands behind the passes that change transfers, which take neighbours as they find them, because the loads
// that it puts in come between those; and before the tokens, because those loads are instructions too.
OperationList place_micro_ops(OperationList list);

}  // namespace vantage::vta
