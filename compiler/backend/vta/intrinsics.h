// The VTA's GEMM step as a tensor intrinsic, for Schedule::tensorize.
#pragma once

#include "compiler/schedule/schedule.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// "vta.gemm": acc[b, o] += inp[b, i] * wgt[o, i] over one element of each scratchpad, and acc = 0 before. (Other resets
// and ALU instructions need no tensorize: lowering finds them.)
schedule::Intrinsics intrinsics(const isa::Config& config);

// The element types of the scratchpads.
ir::DType element_type(isa::Memory memory, const isa::Config& config);

}  // namespace vantage::vta
