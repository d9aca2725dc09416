// Scalar types of the IR as LLVM's: as values, and as elements in memory.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/ir/buffer.h"

namespace vantage::cpu {

// int4 is i4, bool i1, float16 half.
llvm::Type* value_type(llvm::LLVMContext& context, ir::DType dtype);
// Whole bytes: int4 and bool are i8.
llvm::Type* memory_type(llvm::LLVMContext& context, ir::DType dtype);
// What a parameter's address must be a multiple of: as it asks for, and at least an element's size.
llvm::Align alignment_of(const ir::BufferNode& buffer);
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
