// What the GPU tutorials tell of a kernel besides its text.
#pragma once

#include <string>

#include "compiler/backend/cuda/codegen.h"
#include "compiler/ir/prim_func.h"
#include "workload/images_innermost.h"

namespace vantage::examples {

// Whether a lowered kernel, interpreted thread by thread, computes B as the function does, without races; says so, or
// says where it does not. Inputs are whole numbers from `low` to `high`, which must be so small that sums are exact in
// any order.
bool computes_the_same(const ir::PrimFunc& function, const ir::PrimFunc& kernel, int64_t low, int64_t high);

// On stderr, as not every machine has NVIDIA's compiler or a GPU:
//
// What NVIDIA's compiler makes of it for these architectures: registers, spills, shared memory and how many warps a
// multiprocessor then has; or why there is no such compiler.
void show_use(const cuda::Kernel& kernel, const cuda::KernelCode& code, const std::vector<std::string>& architectures);

// "Convolution: 2.93 ms": how long a scheduled function of images A, weights W and results B takes on the GPU here for
// this layer; nothing where there is no GPU, or where it has not what the kernel needs. False, with the reason, where
// it does not run it to its end, or elements of what it made are wrong.
bool show_time(const ir::PrimFunc& scheduled, const workload::ImagesInnermost& layer);

}  // namespace vantage::examples
