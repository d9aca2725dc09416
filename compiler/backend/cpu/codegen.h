// From lowered functions to LLVM's IR.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/backend/cpu/target.h"
#include "compiler/ir/prim_func.h"
#include "native/externals.h"
#include "native/signature.h"

namespace vantage::cpu {

// What the code was made from, as debuggers find it: a file of the functions' text.
struct Source {
  std::string file, directory;
  std::string text;  // filled in
};

// One entry point per function (native/abi.h), under native::entry_symbol() of the function's name, and a variable for
// every one of `externals` that is called, under native::extern_symbol() of its name. Throws Error for
// what a processor cannot do, naming the loop or buffer, and for functions that share a name.
std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, const std::vector<ir::PrimFunc>& lowered,
                                          const Target& target, bool strict, const native::Externals& externals,
                                          Source& source);

native::Signature signature_of(const ir::PrimFunc& function);

}  // namespace vantage::cpu
