// Functions compiled for this process.
#pragma once

#include "compiler/backend/cpu/object.h"
#include "native/function.h"

namespace vantage::cpu {

// Throws Error for what a processor cannot do, naming the loop, the buffer or the function that is called, and for a
// target that this process does not run on. The code lives as long as any copy of the result. Functions that are
// compiled together share their code's memory.
//
// Thread safety: may be called from several threads at once.
std::vector<native::Function> jit(const std::vector<ir::PrimFunc>& scheduled, const Target& target = host_target(),
                                  const Options& options = {});
native::Function jit(const ir::PrimFunc& scheduled, const Target& target = host_target(), const Options& options = {});

}  // namespace vantage::cpu
