// Accesses that nothing orders: between the blocks of a kernel nothing does, between a block's threads barriers may.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/backend/cuda/accesses.h"

namespace vantage::cuda {

// Whether two iterations of `among` may touch the same element by these two, and one of them writes it. As
// touch_apart() sees it, which is quick.
bool may_meet(const Access& a, const Access& b, const std::vector<BoundVar>& among, const std::vector<BoundVar>& fixed);

// What looks like a race is tried out, as long as there is something left of this: values, of one kernel.
inline constexpr int64_t kMostTried = 1 << 17;

// Each throws Error that names the buffer, and `loop`, the kernel's outermost one. They take of `budget` what they try.
void require_blocks_apart(const std::vector<Access>& accesses, const std::vector<BoundVar>& blocks,
                          const std::string& loop, int64_t& budget);
// What one thread adds to, no other may add to again.
void require_one_updates(const std::vector<Access>& accesses, const std::vector<BoundVar>& threads,
                         const std::vector<BoundVar>& fixed, const std::string& loop, int64_t& budget);
// Of the threads of a block, between two barriers.
void require_threads_apart(const std::vector<Access>& accesses, const std::vector<BoundVar>& threads,
                           const std::vector<BoundVar>& fixed, const std::string& loop, int64_t& budget);

}  // namespace vantage::cuda
