// From scheduled functions to programs that a GPU runs.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/backend/cuda/kernel.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/ir/substitute.h"
#include "native/gpu_program.h"

namespace vantage::cuda {

// Lowers a function, compiles its kernels and plans a call. `values`: literals for its scalars, which then are no
// parameters of the program, and for the variables in shapes of its buffers. Throws Error as lower(), split_kernels(),
// plan_calls() and Nvrtc::compile() do, and for a kernel that no device of this architecture can run (require_fits,
// require_extents): as soon as that is known, and so before machine code is made unless it is for want of registers. Of
// an architecture that is newer than Vantage, or a variant, the nearest known one's limits are taken.
native::GpuProgram compile(const ir::PrimFunc& scheduled, const CompileOptions& options, const Nvrtc& nvrtc,
                           const ir::VarMap& values = {});

// The same without machine code and without the limits that differ from one architecture to another.
native::GpuProgram plan_program(const Module& module, const ir::VarMap& values = {});

}  // namespace vantage::cuda
