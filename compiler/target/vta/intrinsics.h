// The VTA's GEMM step as a tensor intrinsic, for Schedule::tensorize.
#pragma once

#include "compiler/schedule/schedule.h"
#include "hw/spec/config.h"

namespace vantage::compiler {

// "vta.gemm": acc[b, o] += inp[b, i] * wgt[o, i] over one element of each scratchpad. (Resets and ALU instructions need
// no tensorize: lowering finds them.)
schedule::Intrinsics vta_intrinsics(const spec::Config& config);

// The element types of the scratchpads.
tir::DType element_type(isa::Memory memory, const spec::Config& config);

}  // namespace vantage::compiler
