// Parallel loops as functions of their own, which threads call for parts of the iterations.
#pragma once

#include "compiler/backend/cpu/stmt_emitter.h"

namespace vantage::cpu {

struct Outlined {
  llvm::Function* task;  // vantage_task of native/abi.h
  llvm::Value* closure;  // what it is to be called with, filled at the builder's place
};

// The function for a parallel loop from `min`, and its closure: the runtime and what the body uses of `scope`.
Outlined outline(const ModuleBuilder& module, llvm::IRBuilder<>& builder, const ir::For& loop, const Scope& scope,
                 const Surroundings& around, llvm::Value* min);

}  // namespace vantage::cpu
