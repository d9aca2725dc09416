// What generations of GPUs have, and what a kernel may ask of them.
//
// Sources: the tables "Feature Support and Technical Specifications per Compute Capability" of NVIDIA's CUDA C++
// Programming Guide, version 13.0; multiprocessors by the data sheets of the GPUs named in architecture.cpp.
//
// Thread safety: functions without state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vantage::cuda {

// Threads that go through a program together.
inline constexpr int64_t kWarpThreads = 32;
// Threads that use tensor cores together from capability 9.0 on: four warps.
inline constexpr int64_t kWarpgroupThreads = 128;

struct Architecture {
  std::string name;             // "sm_80"; "sm_90a": with what later generations do not have
  int capability = 0;           // 80 for 8.0
  int64_t multiprocessors = 0;  // of a large GPU of this kind: what default schedules reckon with
  // Of a multiprocessor.
  int64_t registers = 65536, threads = 0, blocks = 0, shared_bytes = 0;
  // Of a block.
  int64_t block_shared_bytes = 0, block_threads = 1024;
  bool has_warpgroups = false;  // that multiply together, and the copy engine that feeds them
};

// Along x, y and z, and the same for all of them: blocks of a grid, and threads of a block.
using Counts = std::array<int64_t, 3>;
inline constexpr Counts kMostBlocks = {INT32_MAX, 65535, 65535}, kMostThreads = {1024, 1024, 64};

// All that are known, in order of their capability.
const std::vector<Architecture>& architectures();
// "sm_80". Throws Error that lists those there are.
const Architecture& find_architecture(std::string_view name);
// The same also for a name that is not known but has a number, as "sm_87" has: what the nearest known one allows, under
// this name.
Architecture nearest_architecture(std::string_view name);
// That of a device of this capability: the nearest known one that is not above it. Throws Error for one that is older
// than all of them.
const Architecture& architecture_of(int capability);

// Memory of a thread's own, whatever the architecture: CUDA C++ Programming Guide, "Compute Capabilities".
inline constexpr int64_t kThreadLocalBytes = 512 << 10;

// What one block of a kernel takes.
struct BlockNeeds {
  int64_t threads = 1;
  int64_t registers = 0;  // of a thread; 0: not known
  int64_t shared_bytes = 0;
};

// Of the warps that a multiprocessor can have, how many are there when it is full of such blocks; and what keeps more
// out. None where not one block fits, or has no threads.
struct Occupancy {
  int64_t blocks = 0, warps = 0, most_warps = 0;
  std::string limit;  // "registers", "shared memory", "threads", "blocks"
  double share() const { return static_cast<double>(warps) / static_cast<double>(most_warps); }
};
Occupancy occupancy(const Architecture& architecture, const BlockNeeds& needs);

// Throws Error, naming `kernel` and the numbers, when a block asks for more than there is.
void require_fits(const Architecture& architecture, const std::string& kernel, const BlockNeeds& needs);
// Throws Error, naming `kernel`, where there are no warpgroups.
void require_warpgroups(const Architecture& architecture, const std::string& kernel);
// The same for the extents of a launch, which no device can exceed.
void require_extents(const std::string& kernel, const Counts& grid, const Counts& block);

}  // namespace vantage::cuda
