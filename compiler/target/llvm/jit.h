// Functions compiled for this process.
#pragma once

#include "compiler/target/llvm/object.h"
#include "native/function.h"

namespace vantage::compiler {

// Throws Error for what a processor cannot do, naming the loop or buffer, and for a target that this process does not
// run on. The code lives as long as any copy of the result. Functions that are compiled together share their code's
// memory.
//
// Thread safety: may be called from several threads at once.
std::vector<native::Function> jit(const std::vector<tir::PrimFunc>& scheduled, const CpuTarget& target = host_target(),
                                  const CpuOptions& options = {});
native::Function jit(const tir::PrimFunc& scheduled, const CpuTarget& target = host_target(),
                     const CpuOptions& options = {});

}  // namespace vantage::compiler
