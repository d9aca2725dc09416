// Kernels by what they are.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Of one vector of kernels, which may grow but not change. Thread safety: none.
class KernelIndex {
 public:
  // The number of the first kernel like this one, which is added to `kernels` where there is none.
  uint32_t number(std::vector<Kernel>& kernels, Kernel kernel);

 private:
  uint32_t first_like(const std::vector<Kernel>& kernels, const Kernel& kernel, uint32_t next);

  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
  uint32_t known_ = 0;  // kernels
};

}  // namespace vantage::vta
