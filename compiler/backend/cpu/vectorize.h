// CPU vectorization. A loop that a schedule has vectorized stays a loop in the IR; it is generated here, its body once
// for as many iterations as fill a vector of the processor, one lane each. Within the body every expression has a value
// per lane (value.h), loops and conditions that differ between lanes leave lanes out by a mask (lanes.h), and memory is
// read and written as vectors, or gathered and scattered where lanes lie apart (expr_emitter.cpp).
#pragma once

#include "compiler/backend/cpu/stmt_emitter.h"

namespace vantage::cpu {

// A vectorized loop of a constant number of iterations, while the code has one lane. The last iterations, fewer than a
// vector has lanes, run in ever smaller powers of two.
void emit_vectorized(StmtEmitter& emitter, const ir::For& loop);

// A loop inside of a vectorized one whose number of iterations differs between lanes: as many iterations as the longest
// lane has; lanes that have done theirs wait.
void emit_uneven_loop(StmtEmitter& emitter, const ir::For& loop, const Value& min, const Value& extent);

// A statement for the lanes in which the condition holds. What is more than a store is left out where that is none:
// its loops may have no meaning then.
void emit_masked(StmtEmitter& emitter, const Value& condition, const ir::Stmt& body);

}  // namespace vantage::cpu
