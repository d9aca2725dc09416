// What of a function becomes kernels, and what is left to the host.
//
// Thread safety: a function without state.
#pragma once

#include "compiler/backend/cuda/kernel.h"

namespace vantage::cuda {

// Every loop that is bound to an index becomes a kernel with all inside it. Of what stands beside these, loops,
// conditions and variables around kernels stay with the host, which cannot read a tensor: Error, naming the variable or
// condition, where it would have to. All else (a sum without threads, say) is done by kernels of one thread, so that
// data stay where they are.
//
// Expects what lower() leaves.
Module split_kernels(const ir::PrimFunc& lowered);

std::string to_text(const Module& module);  // of the host's part

}  // namespace vantage::cuda
