// How a kernel's threads meet in the banks of shared memory.
//
// A multiprocessor has 32 banks, each of which gives or takes one word of 4 bytes in a cycle; word i lies in bank i mod
// 32. The 32 threads of a warp are served together where they ask for different banks or for the same words, and one
// after the other where they ask for different words of one bank. Wider accesses are served in parts: 8 bytes by half
// warps, 16 bytes by quarters. Source: NVIDIA's CUDA C++ Best Practices Guide, "Shared Memory and Memory Banks".
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/backend/cuda/kernel.h"
#include "compiler/backend/cuda/shared_access.h"

namespace vantage::cuda {

// Of a bank's word.
inline constexpr int64_t kBankBytes = 4;

// How often the banks must be asked for what a warp wants, of the busiest part of the busiest warp: 1 is best.
struct BankUse {
  SharedAccess access;
  int64_t ways = 1;
};

// Of each access, in the order that they have. Where indices depend on loops some of their values are looked at, and
// where they are read from memory the access is left out.
std::vector<BankUse> bank_uses(const Kernel& kernel, const std::vector<SharedAccess>& accesses);

}  // namespace vantage::cuda
