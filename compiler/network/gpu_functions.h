// A network's functions for a GPU.
//
// Thread safety: a function without state.
#pragma once

#include <functional>
#include <vector>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/ir/prim_func.h"
#include "native/gpu_program.h"

namespace vantage::network {

// Functions as they are defined, each with the schedule that is made for it (compiler/ops/cuda/default_schedule.h) and
// compiled, up to `threads` at a time (0: as many as there are cores); `done` is told how many are, from any of them
// but one at a time. Throws Error, naming the function, as cuda::compile() does.
std::vector<native::GpuProgram> compile_for_gpu(const std::vector<ir::PrimFunc>& definitions,
                                                const cuda::Architecture& architecture, const cuda::Nvrtc& nvrtc,
                                                size_t threads = 0, const std::function<void(size_t)>& done = nullptr);

}  // namespace vantage::network
