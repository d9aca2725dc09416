#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::vta {

// Inside virtual threads, a turn ends behind every GEMM: the next one begins with what follows it, so one thread's ALU
// instructions, stores and loads are issued while another's GEMM runs. Without GEMM, loads of operands and ALU
// instructions alternate: a turn for each load, as many for the instructions, and threads begin one after another, so
// that one computes while another's operands are under way; without loads, a turn ends behind every store.
//
// Expects the calls of calls.h and no stores. Leaves the same with calls of vta.turn, which virtual threads take turns
// by when operations are recorded (virtual_threads.h). It stands behind the three passes that make instructions,
// because it counts and weighs those.
ir::PrimFunc mark_turns(ir::PrimFunc function);

}  // namespace vantage::vta
