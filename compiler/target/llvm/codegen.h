// From lowered functions to LLVM's IR.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/target/llvm/cpu_target.h"
#include "compiler/tir/prim_func.h"
#include "native/signature.h"

namespace vantage::compiler {

// What the code was made from, as debuggers find it: a file of the functions' text.
struct Source {
  std::string file, directory;
  std::string text;  // filled in
};

// One entry point per function (native/abi.h), under native::entry_symbol() of the function's name. Throws Error for
// what a processor cannot do, naming the loop or buffer, and for functions that share a name.
std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, const std::vector<tir::PrimFunc>& lowered,
                                          const CpuTarget& target, bool strict, Source& source);

native::Signature signature_of(const tir::PrimFunc& function);

}  // namespace vantage::compiler
