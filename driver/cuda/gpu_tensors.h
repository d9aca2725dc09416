// Whether tensors are what a program for a GPU takes.
//
// Thread safety: a function without state.
#pragma once

#include <cstdint>
#include <vector>

#include "native/signature.h"

namespace vantage::driver {

// Where a tensor's elements are, from the first to the last; no bytes where it has none.
struct GpuRange {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

// Throws Error, in native::explain()'s words, for tensors that do not fit: what native::require_tensors sees, and also
// strides, alignment, and two that share memory of which one is written. Kernels check nothing.
std::vector<GpuRange> require_gpu_tensors(const native::Signature& signature,
                                          const std::vector<const DLTensor*>& tensors);

}  // namespace vantage::driver
