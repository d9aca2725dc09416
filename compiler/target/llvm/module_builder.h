// What all parts of one compilation share.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/target/llvm/cpu_target.h"
#include "compiler/target/llvm/debug_info.h"

namespace vantage::compiler {

struct ModuleBuilder {
  llvm::Module& module;
  const CpuTarget& target;
  DebugInfo& debug;
  bool strict = false;  // see CpuOptions

  llvm::LLVMContext& context() const { return module.getContext(); }
};

}  // namespace vantage::compiler
