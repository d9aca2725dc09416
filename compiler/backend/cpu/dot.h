// Sums of four products of bytes: dot4 and dot4_us of compiler/ir/intrinsics.h.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/backend/cpu/target.h"

namespace vantage::cpu {

// sum + dot4(a, b), the bytes of `a` taken as unsigned if so wanted: one instruction where the processor has one (VNNI
// for unsigned by signed, NEON for signed), a few on other x86 processors. All three are int32, or vectors of it alike.
llvm::Value* emit_dot4(llvm::IRBuilder<>& builder, const Target& target, bool is_unsigned, llvm::Value* sum,
                       llvm::Value* a, llvm::Value* b);

}  // namespace vantage::cpu
