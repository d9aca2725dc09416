#include "compiler/backend/cuda/architecture.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage::cuda {

namespace {

constexpr int64_t kKiB = 1024;
// Registers are given to warps, and shared memory to blocks, in pieces of this size.
constexpr int64_t kRegisterPiece = 256, kSharedPiece = 128;
// A multiprocessor has that many parts, each with as much of its registers and with warps of its own.
constexpr int64_t kParts = 4;
// What the system keeps of each block's shared memory from capability 8.0 on.
constexpr int64_t kReserved = 1 * kKiB;

Architecture make(std::string name, int capability, int64_t multiprocessors, int64_t threads, int64_t blocks,
                  int64_t shared_kib, int64_t block_shared_kib) {
  Architecture result;
  result.name = std::move(name);
  result.capability = capability;
  result.multiprocessors = multiprocessors;
  result.threads = threads;
  result.blocks = blocks;
  result.shared_bytes = shared_kib * kKiB;
  result.block_shared_bytes = block_shared_kib * kKiB;
  return result;
}

Architecture with_warpgroups(Architecture architecture) {
  architecture.has_warpgroups = true;
  return architecture;
}

int64_t round_up(int64_t value, int64_t piece) {
  return (value + piece - 1) / piece * piece;
}

// How many warps there are registers for. A part's registers that are too few for a warp are nobody's.
int64_t warps_by_registers(const Architecture& a, int64_t of_thread) {
  return a.registers / kParts / round_up(of_thread * kWarpThreads, kRegisterPiece) * kParts;
}

}  // namespace

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> kAll = {
      make("sm_75", 75, 40, 1024, 16, 64, 64),                       // T4
      make("sm_80", 80, 108, 2048, 32, 164, 163),                    // A100
      make("sm_86", 86, 84, 1536, 16, 100, 99),                      // A40
      make("sm_89", 89, 142, 1536, 24, 100, 99),                     // L40
      make("sm_90", 90, 132, 2048, 32, 228, 227),                    // H100, H200
      with_warpgroups(make("sm_90a", 90, 132, 2048, 32, 228, 227)),  // the same
      make("sm_100", 100, 148, 2048, 32, 228, 227),                  // B200
      make("sm_120", 120, 188, 1536, 24, 100, 99),                   // RTX PRO 6000
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

Architecture nearest_architecture(std::string_view name) {
  static constexpr std::string_view kPrefix = "sm_";
  int capability = 0;
  if (name.starts_with(kPrefix)) {
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + kPrefix.size(), end, capability);
    // A letter may follow.
    if (error != std::errc() || end - rest > 1 || (rest != end && (*rest < 'a' || *rest > 'z'))) capability = 0;
  }
  const auto is_same = [&](const Architecture& a) { return a.name == name; };
  const std::vector<Architecture>& known = architectures();
  if (capability <= 0 || std::any_of(known.begin(), known.end(), is_same)) return find_architecture(name);
  Architecture result = architecture_of(capability);
  result.name = name;
  result.has_warpgroups = false;
  return result;
}

Occupancy occupancy(const Architecture& a, const BlockNeeds& needs) {
  const int64_t warps = (needs.threads + kWarpThreads - 1) / kWarpThreads;
  Occupancy result;
  result.most_warps = a.threads / kWarpThreads;
  if (warps == 0) {
    result.limit = "threads";
    return result;
  }
  result.blocks = a.blocks;
  result.limit = "blocks";
  const auto limit = [&](int64_t blocks, const char* what) {
    if (blocks >= result.blocks) return;
    result.blocks = blocks;
    result.limit = what;
  };
  limit(result.most_warps / warps, "threads");
  if (needs.registers > 0) limit(warps_by_registers(a, needs.registers) / warps, "registers");
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
  if (needs.registers == 0) return;
  const int64_t warps = (needs.threads + kWarpThreads - 1) / kWarpThreads,
                most = warps_by_registers(a, needs.registers);
  if (warps > most) {
    fail(
        "{}: {} threads of {} registers are {} warps, and {} has registers for {}; keep fewer values in local memory, "
        "or bind fewer threads",
        kernel, needs.threads, needs.registers, warps, a.name, most);
  }
}

void require_warpgroups(const Architecture& a, const std::string& kernel) {
  if (a.has_warpgroups) return;
  std::string known;
  for (const Architecture& other : architectures()) {
    if (other.has_warpgroups) known += (known.empty() ? "" : ", ") + other.name;
  }
  fail(
      "{}: products of warpgroups and copies of boxes are instructions of {}, and {} has none; take those of warps "
      "(tile.*) and memory of scope \"shared\"",
      kernel, known, a.name);
}

void require_extents(const std::string& kernel, const Counts& grid, const Counts& block) {
  for (size_t d = 0; d < 3; ++d) {
    if (grid[d] > kMostBlocks[d]) {
      fail("{} has {} blocks along {}, more than the {} of a grid; split the loop, and bind its parts to two indices",
           kernel, grid[d], "xyz"[d], kMostBlocks[d]);
    }
    if (block[d] > kMostThreads[d]) {
      fail("{} has {} threads along {}, more than the {} of a block; split the loop, and let each thread do more",
           kernel, block[d], "xyz"[d], kMostThreads[d]);
    }
  }
}

}  // namespace vantage::cuda
