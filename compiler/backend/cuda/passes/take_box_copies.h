#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::cuda {

// What fills memory of scope "shared.swizzled" becomes copies of boxes, which the GPU's copy engine makes for one
// thread: loops around a single store of an element of a tensor that lies in device memory, or of 0 outside of that
// tensor. Throws Error, naming the buffer, for anything else that fills such memory.
//
// Expects kernels as merge_thread_loops leaves them, simplified.
ir::PrimFunc take_box_copies(ir::PrimFunc function);

}  // namespace vantage::cuda
