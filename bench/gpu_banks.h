// How kernels meet in the banks of shared memory, in two numbers.
#pragma once

#include <cstdint>

#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/kernel.h"

namespace vantage::bench {

// The most of all accesses of the kernels that were added (compiler/backend/cuda/shared_banks.h); 0 where there is
// none.
struct BankFacts {
  int64_t ways = 0;
  int64_t load_rounds = 0;  // of loads of several elements, by which products get what they multiply

  void add(const cuda::Kernel& kernel, const cuda::KernelCode& code);
};

}  // namespace vantage::bench
