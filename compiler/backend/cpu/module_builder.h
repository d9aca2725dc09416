// What all parts of one compilation share.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/backend/cpu/debug_info.h"
#include "compiler/backend/cpu/target.h"
#include "native/externals.h"

namespace vantage::cpu {

struct ModuleBuilder {
  llvm::Module& module;
  const Target& target;
  DebugInfo& debug;
  bool strict = false;  // see Options
  const native::Externals& externals;

  llvm::LLVMContext& context() const { return module.getContext(); }
};

}  // namespace vantage::cpu
