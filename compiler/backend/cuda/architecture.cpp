#include "compiler/backend/cuda/architecture.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage::cuda {

namespace {

constexpr int64_t kWarp = 32;
constexpr int64_t kKiB = 1024;
// Registers are given to warps, and shared memory to blocks, in pieces of this size.
constexpr int64_t kRegisterPiece = 256, kSharedPiece = 128;
// What the system keeps of each block's shared memory from capability 8.0 on.
constexpr int64_t kReserved = 1 * kKiB;

Architecture make(std::string name, int capability, int64_t threads, int64_t blocks, int64_t shared_kib,
                  int64_t block_shared_kib) {
  Architecture result;
  result.name = std::move(name);
  result.capability = capability;
  result.threads = threads;
  result.blocks = blocks;
  result.shared_bytes = shared_kib * kKiB;
  result.block_shared_bytes = block_shared_kib * kKiB;
  return result;
}

int64_t round_up(int64_t value, int64_t piece) {
  return (value + piece - 1) / piece * piece;
}

}  // namespace

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> kAll = {
      make("sm_75", 75, 1024, 16, 64, 64),     make("sm_80", 80, 2048, 32, 164, 163),
      make("sm_86", 86, 1536, 16, 100, 99),    make("sm_89", 89, 1536, 24, 100, 99),
      make("sm_90", 90, 2048, 32, 228, 227),   make("sm_90a", 90, 2048, 32, 228, 227),
      make("sm_100", 100, 2048, 32, 228, 227), make("sm_120", 120, 1536, 24, 100, 99),
  };
  return kAll;
}

const Architecture& find_architecture(std::string_view name) {
  std::vector<std::string> names;
  for (const Architecture& a : architectures()) {
    if (a.name == name) return a;
    names.push_back(a.name);
  }
  fail("'{}' is no architecture of a GPU that Vantage knows{}", name, did_you_mean(name, names));
}

const Architecture& architecture_of(int capability) {
  const Architecture* best = nullptr;
  for (const Architecture& a : architectures()) {
    if (a.capability <= capability && (best == nullptr || a.capability >= best->capability)) best = &a;
  }
  if (best == nullptr) {
    fail("a GPU of compute capability {}.{} is older than what kernels are made for, {}", capability / 10,
         capability % 10, architectures().front().name);
  }
  return *best;
}

Occupancy occupancy(const Architecture& a, const BlockNeeds& needs) {
  const int64_t warps = (needs.threads + kWarp - 1) / kWarp;
  Occupancy result;
  result.most_warps = a.threads / kWarp;
  result.blocks = a.blocks;
  result.limit = "blocks";
  const auto limit = [&](int64_t blocks, const char* what) {
    if (blocks >= result.blocks) return;
    result.blocks = blocks;
    result.limit = what;
  };
  limit(result.most_warps / warps, "threads");
  if (needs.registers > 0) {
    const int64_t of_warp = round_up(needs.registers * kWarp, kRegisterPiece);
    limit(a.registers / of_warp / warps, "registers");
  }
  const int64_t shared = round_up(needs.shared_bytes + (a.capability >= 80 ? kReserved : 0), kSharedPiece);
  if (shared > 0) limit(a.shared_bytes / shared, "shared memory");
  result.warps = result.blocks * warps;
  return result;
}

void require_fits(const Architecture& a, const std::string& kernel, const BlockNeeds& needs) {
  if (needs.threads > a.block_threads) {
    fail(
        "{}: a block has {} threads, and {} runs at most {}; bind loops of fewer iterations to threadIdx, and let "
        "each thread do more",
        kernel, needs.threads, a.name, a.block_threads);
  }
  if (needs.shared_bytes > a.block_shared_bytes) {
    fail(
        "{}: a block takes {} bytes of shared memory, and {} has {}; compute what fills it at an inner loop, or make "
        "the block's tile smaller",
        kernel, needs.shared_bytes, a.name, a.block_shared_bytes);
  }
  const int64_t warps = (needs.threads + kWarp - 1) / kWarp;
  const int64_t registers = warps * round_up(needs.registers * kWarp, kRegisterPiece);
  if (registers > a.registers) {
    fail(
        "{}: {} threads of {} registers take {}, and {} has {} for a block; keep fewer values in local memory, or "
        "bind fewer threads",
        kernel, needs.threads, needs.registers, registers, a.name, a.registers);
  }
}

}  // namespace vantage::cuda
