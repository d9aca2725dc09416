// Scalar types of the IR as LLVM's: as values, and as elements in memory.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/ir/buffer.h"

namespace vantage::cpu {

// int4 is i4, bool i1, float16 half, bfloat16 float (bfloat16.h).
llvm::Type* value_type(llvm::LLVMContext& context, ir::DType dtype);
// Whole bytes: int4 and bool are i8; bfloat16 is i16.
llvm::Type* memory_type(llvm::LLVMContext& context, ir::DType dtype);
// What a buffer's address is a multiple of, whoever made it: as it asks for, and at least an element's size. No more is
// asked of parameters, because whole vectors at such an address load and store as fast as others wherever they happen
// to be aligned.
llvm::Align alignment_of(const ir::BufferNode& buffer);
// What memory for it is aligned to: as it asks for, or else a cache line.
llvm::Align allocation_alignment(const ir::BufferNode& buffer);
// A vector of `lanes` elements, or the element's type itself for one.
llvm::Type* with_lanes(llvm::Type* element, int lanes);
// 1 for a scalar.
int lanes_of(const llvm::Value* value);
// Lanes [begin, begin + count) of a vector; beyond its end they hold anything.
llvm::Value* slice(llvm::IRBuilder<>& builder, llvm::Value* vector, int begin, int count);

// Between the two forms, for scalars and vectors.
llvm::Value* from_memory(llvm::IRBuilder<>& builder, ir::DType dtype, llvm::Value* value);
llvm::Value* to_memory(llvm::IRBuilder<>& builder, ir::DType dtype, llvm::Value* value);

}  // namespace vantage::cpu
