// NVRTC as the benchmark of GPUs uses it: for a program, and again for what can be told of its kernels.
#pragma once

#include <memory>

#include "base/temporary.h"
#include "compiler/backend/cuda/kept_code.h"
#include "compiler/backend/cuda/nvrtc.h"

namespace vantage::bench {

// What it has compiled in this run it does not compile again. Throws Error where it is not here.
inline std::shared_ptr<const cuda::Nvrtc> gpu_compiler() {
  static const TemporaryDirectory folder;
  return cuda::keeping_code(cuda::Nvrtc::load(), folder.path());
}

}  // namespace vantage::bench
