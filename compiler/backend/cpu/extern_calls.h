// Calls of the user's own functions (native/externals.h).
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <vector>

#include "compiler/ir/expr.h"
#include "native/externals.h"

namespace vantage::cpu {

// The function that a call names. Throws Error for one that is not among `externals`, and for arguments, or a result
// that is wanted, of other types than it has.
const native::External& external_of(const ir::Call& call, const native::Externals& externals);

// A box in memory as a DLTensor that lives as long as the function: the address of its first element, its extents and
// strides, which are 64-bit numbers.
llvm::Value* emit_tensor(llvm::IRBuilder<>& builder, ir::DType dtype, llvm::Value* data,
                         const std::vector<llvm::Value*>& extents, const std::vector<llvm::Value*>& strides);

// Numbers as values of their types, tensors as pointers. `is_pure`: for its value alone.
llvm::Value* emit_extern_call(llvm::IRBuilder<>& builder, const native::External& external, bool is_pure,
                              const std::vector<llvm::Value*>& arguments);

}  // namespace vantage::cpu
