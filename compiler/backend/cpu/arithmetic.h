// Operations of the IR on LLVM values: scalars or vectors, both operands alike. They mean what evaluate_int,
// evaluate_float (compiler/ir/expr.h) and convert (base/tensor/dtype.h) do; a product that is added may
// be fused, so it is not rounded by itself, and an integer divided by zero is 0.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/ir/expr.h"

namespace vantage::cpu {

// Whether integers may be taken not to overflow: indices are (compiler/ir/arith/analyzer.h), data wraps.
enum class Overflow : uint8_t { kWraps, kNever };

llvm::Value* emit_binary(llvm::IRBuilder<>& builder, ir::BinaryOp op, ir::DType dtype, llvm::Value* a, llvm::Value* b,
                         Overflow overflow);
llvm::Value* emit_cast(llvm::IRBuilder<>& builder, ir::DType from, ir::DType to, llvm::Value* value);

}  // namespace vantage::cpu
