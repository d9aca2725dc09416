// From lowered functions to LLVM's IR.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/backend/cpu/target.h"
#include "compiler/ir/prim_func.h"
#include "compiler/ir/printer.h"
#include "native/externals.h"
#include "native/signature.h"

namespace vantage::cpu {

// What the code was made from, as debuggers find it: a file of functions' text.
struct SourceFile {
  std::string name, directory;
};

// A function, and its text in that file.
struct Listed {
  ir::PrimFunc lowered;
  ir::Listing listing;
  int first_line = 1;
};

// One entry point per function (native/abi.h), under native::entry_symbol() of the function's name, and a variable for
// every one of `externals` that is called, under native::extern_symbol() of its name; modules that are linked share
// these. Throws Error for what a processor cannot do, naming the loop or buffer. REQUIRES: each function has a name of
// its own.
std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, std::span<const Listed> functions,
                                          const Target& target, bool strict, const native::Externals& externals,
                                          const SourceFile& source);

native::Signature signature_of(const ir::PrimFunc& function);

}  // namespace vantage::cpu
