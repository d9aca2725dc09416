// Calls of what a function asks of its host (vantage_runtime, native/abi.h).
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string>

#include "native/abi.h"

namespace vantage::cpu {

// Bytes aligned to `align`; null when there are none.
llvm::Value* emit_allocation(llvm::IRBuilder<>& builder, llvm::Value* runtime, llvm::Value* bytes, llvm::Align align,
                             const std::string& name);
void emit_release(llvm::IRBuilder<>& builder, llvm::Value* runtime, llvm::Value* memory);
// The code that the loop ended with.
llvm::Value* emit_parallel_for(llvm::IRBuilder<>& builder, llvm::Value* runtime, llvm::Value* count,
                               llvm::Function* task, llvm::Value* closure);

// The type of vantage_task.
llvm::FunctionType* task_type(llvm::LLVMContext& context);
// A constant for callers that bring no runtime: the C library's memory, one thread.
llvm::Constant* default_runtime(llvm::Module& module);

}  // namespace vantage::cpu
