// bfloat16 on processors, few of which compute with it: as a value it is a float32 whose lower half is zero, and every
// operation is one of float32 that is rounded. Rounded twice that is as if rounded once, as a float32 has more than
// twice the digits.
//
// Thread safety: functions without state beside the builder that they are given.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace vantage::cpu {

// Scalars and vectors: 16 bits in memory to the value that they are, and back.
llvm::Value* bfloat16_from_bits(llvm::IRBuilder<>& builder, llvm::Value* bits);
llvm::Value* bits_of_bfloat16(llvm::IRBuilder<>& builder, llvm::Value* value);

// A float32 to the nearest value, ties to even.
llvm::Value* round_to_bfloat16(llvm::IRBuilder<>& builder, llvm::Value* value);

}  // namespace vantage::cpu
