// Which of a function's buffers it reads as they were when it was called.
//
// Thread safety: a function without state.
#pragma once

#include <set>

#include "compiler/backend/cuda/kernel.h"

namespace vantage::cuda {

// The buffers that kernels read an element of which the same thread has not stored before in any case. An element that
// another thread stores, or that was stored as part of a box, counts as read: what is left out of these is sure not to
// matter at a call.
std::set<const ir::BufferNode*> inputs_of(const Module& module);

}  // namespace vantage::cuda
