// What all parts of one compilation share.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/target/llvm/cpu_target.h"

namespace vantage::compiler {

struct ModuleBuilder {
  llvm::Module& module;
  const CpuTarget& target;
  bool strict = false;  // see CpuOptions

  llvm::LLVMContext& context() const { return module.getContext(); }
};

}  // namespace vantage::compiler
