// What generations of GPUs have, and what a kernel may ask of them.
//
// Sources: the tables "Feature Support and Technical Specifications per Compute Capability" of NVIDIA's CUDA C++
// Programming Guide, version 13.0.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vantage::cuda {

struct Architecture {
  std::string name;    // "sm_80"; "sm_90a": with what later generations do not have
  int capability = 0;  // 80 for 8.0
  // Of a multiprocessor.
  int64_t registers = 65536, threads = 0, blocks = 0, shared_bytes = 0;
  // Of a block.
  int64_t block_shared_bytes = 0;
  int64_t block_threads = 1024, block_z = 64;
  int64_t thread_registers = 255;
  // Of a grid, in y and z; in x it is 2^31 - 1.
  int64_t grid_y = 65535;
};

// All that are known, in order of their capability.
const std::vector<Architecture>& architectures();
// "sm_80". Throws Error that lists those there are.
const Architecture& find_architecture(std::string_view name);
// That of a device of this capability: the nearest known one that is not above it. Throws Error for one that is older
// than all of them.
const Architecture& architecture_of(int capability);

// What one block of a kernel takes.
struct BlockNeeds {
  int64_t threads = 1;
  int64_t registers = 0;  // of a thread; 0: not known
  int64_t shared_bytes = 0;
};

// Of the warps that a multiprocessor can have, how many are there when it is full of such blocks; and what keeps more
// out.
struct Occupancy {
  int64_t blocks = 0, warps = 0, most_warps = 0;
  std::string limit;  // "registers", "shared memory", "threads", "blocks"
  double share() const { return static_cast<double>(warps) / static_cast<double>(most_warps); }
};
Occupancy occupancy(const Architecture& architecture, const BlockNeeds& needs);

// Throws Error, naming `kernel` and the numbers, when a block asks for more than there is.
void require_fits(const Architecture& architecture, const std::string& kernel, const BlockNeeds& needs);

}  // namespace vantage::cuda
