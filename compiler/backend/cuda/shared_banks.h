// How a kernel's threads meet in the banks of shared memory.
//
// A multiprocessor has 32 banks, each of which gives or takes one word of 4 bytes in a cycle; word i lies in bank i mod
// 32. The 32 threads of a warp are served together where they ask for different banks or for the same words, and one
// after the other where they ask for different words of one bank. Wider accesses are served in parts: 8 bytes by half
// warps, 16 bytes by quarters. Source: NVIDIA's CUDA C++ Best Practices Guide, "Shared Memory and Memory Banks".
//
// A load's parts are twice as large where all threads n load what n ^ 1 load, or all what n ^ 2 load: 16 bytes then
// take two rounds and not four. Source: NVIDIA's developer forum, topics 77228 (an answer of NVIDIA's, on
// capability 7.x) and 373160 (rounds that Nsight Compute counts on 8.6 and 9.0).
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

struct BankUse {
  SharedAccess access;
  // How often the banks must be asked for what the threads of one part want, of the busiest: 1 is best.
  int64_t ways = 1;
  // How often they are asked until all of a warp is served, of the busiest.
  int64_t rounds = 1;
};

// Of each access, in the order that they have. Where indices depend on loops some of their values are looked at, and
// where they are read from memory the access is left out.
std::vector<BankUse> bank_uses(const Kernel& kernel, const std::vector<SharedAccess>& accesses);

}  // namespace vantage::cuda
