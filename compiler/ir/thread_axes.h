// The indices of a GPU's threads, which loops are bound to, and the memories that its threads share or have alone.
//
// Thread safety: functions without state.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/stmt.h"

namespace vantage::ir {

inline constexpr std::array<std::string_view, 6> kThreadAxes = {"blockIdx.x",  "blockIdx.y",  "blockIdx.z",
                                                                "threadIdx.x", "threadIdx.y", "threadIdx.z"};

bool is_thread_axis(std::string_view name);
// Of a loop that is bound to what is none of these: what to say. "" where it is one of them.
std::string wrong_axis(const For& loop);
bool is_block_index(std::string_view axis);   // of a block in its grid
bool is_thread_index(std::string_view axis);  // of a thread in its block

// Of a warp: the 32 threads that differ in threadIdx.x alone have it in their registers together.
inline constexpr std::string_view kWarpScope = "warp";
// The same of four warps: 128 threads.
inline constexpr std::string_view kWarpgroupScope = "warpgroup";
// Of a block, in an order that its elements have for the hardware's sake, which threads do not see one by one.
inline constexpr std::string_view kSwizzledScope = "shared.swizzled";

bool is_local(std::string_view scope);     // of one thread
bool is_shared(std::string_view scope);    // of the threads of one block
bool is_of_warps(std::string_view scope);  // of threads that differ in threadIdx.x alone
// Whether threads that differ in this index have one memory of this scope together; they have none of "local", and of
// those of warps only where they differ in threadIdx.x.
bool is_common(std::string_view scope, std::string_view axis);

// Whether the iterations of a loop run together and have one memory of "shared" together: threads of a block, and
// virtual threads, of which one thread runs several.
bool is_sharing(const For& loop);

// All loops in a statement that are bound to an axis, in order.
std::vector<const For*> thread_loops(const Stmt& stmt);

// Loops inside each other that are bound to the same index of threads: a thread has one such index, so this means
// something only where the threads share out what the inner loop does among themselves. So it must be the same in every
// iteration of the outer one, and fill shared memory only. "" when all loops are so; else what to do about the first
// that are not.
std::string nested_threads(const Stmt& stmt);

}  // namespace vantage::ir
