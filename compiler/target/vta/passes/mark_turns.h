#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::compiler {

// Inside virtual threads, a turn ends behind every GEMM: the next one begins with what follows it, so one thread's ALU
// instructions, stores and loads are issued while another's GEMM runs. Without GEMM a turn ends behind every store.
tir::PrimFunc mark_turns(tir::PrimFunc function);

}  // namespace vantage::compiler
