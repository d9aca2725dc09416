#include "compiler/ops/matmul/vta_blocks.h"

#include <algorithm>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/tile_layout.h"

namespace vantage::ops {

using isa::Memory;

namespace {

// Sizes in tiles.
struct Tiles {
  uint64_t m, k, n;
};

Tiles in_tiles(uint64_t m, uint64_t k, uint64_t n, const isa::Config& config) {
  return {ceil_div(m, static_cast<uint64_t>(config.batch())), ceil_div(k, static_cast<uint64_t>(config.block_in())),
          ceil_div(n, static_cast<uint64_t>(config.block_out()))};
}

// Scratchpad elements that one virtual thread needs.
uint64_t acc_needed(const Tiles& block, bool bias) {
  return block.m * block.n + (bias ? block.n : 0);
}

// Halves the larger of the sides that may shrink; false when neither can.
bool halve_larger(uint64_t* a, uint64_t* b) {
  uint64_t* larger = nullptr;
  for (uint64_t* side : {a, b}) {
    if (side != nullptr && *side > 1 && (larger == nullptr || *side > *larger)) larger = side;
  }
  if (larger != nullptr) *larger = ceil_div(*larger, uint64_t{2});
  return larger != nullptr;
}

}  // namespace

GemmBlocks choose_gemm_blocks(const isa::Config& config, const GemmProblem& problem, const GemmBlocks& wanted,
                              const GemmBlocks& limit) {
  const auto threads = static_cast<uint64_t>(std::max(1, problem.virtual_threads));
  const auto share = [&](Memory memory) { return config.depth(memory).count() / threads; };
  const auto side = [](uint64_t given, uint64_t most, uint64_t size) {
    return std::min(given != 0 ? given : most, size);
  };
  Tiles t = in_tiles(side(wanted.m, limit.m, problem.m), side(wanted.k, limit.k, problem.k),
                     side(wanted.n, limit.n, problem.n), config);
  uint64_t* const m = wanted.m == 0 ? &t.m : nullptr;
  uint64_t* const k = wanted.k == 0 ? &t.k : nullptr;
  uint64_t* const n = wanted.n == 0 ? &t.n : nullptr;
  while (acc_needed(t, problem.epilogue.bias) > share(Memory::kAcc) && halve_larger(m, n)) continue;
  while (t.m * t.k > share(Memory::kInp) && halve_larger(m, k)) continue;
  while (t.n * t.k > share(Memory::kWgt) && halve_larger(n, k)) continue;
  return {wanted.m != 0 ? wanted.m : t.m * static_cast<uint64_t>(config.batch()),
          wanted.k != 0 ? wanted.k : t.k * static_cast<uint64_t>(config.block_in()),
          wanted.n != 0 ? wanted.n : t.n * static_cast<uint64_t>(config.block_out())};
}

Conv2dShape GemmProblem::shape() const {
  return dense_shape(static_cast<int64_t>(m), static_cast<int64_t>(k), static_cast<int64_t>(n));
}

Conv2dTiling gemm_tiling(const isa::Config& config, const GemmProblem& problem, const GemmBlocks& blocks) {
  if (problem.m == 0 || problem.k == 0 || problem.n == 0) fail("a matrix multiply needs sizes of at least 1");
  if (blocks.m == 0 || blocks.k == 0 || blocks.n == 0) fail("a matrix multiply needs blocks of at least 1");
  if (problem.virtual_threads < 1) fail("a matrix multiply needs at least 1 virtual thread");
  const Tiles block =
      in_tiles(std::min(blocks.m, problem.m), std::min(blocks.k, problem.k), std::min(blocks.n, problem.n), config);
  Conv2dTiling tiling;
  tiling.n = static_cast<int64_t>(block.m);
  tiling.ic = static_cast<int64_t>(block.k);
  tiling.oc = static_cast<int64_t>(block.n);
  tiling.channels_outside = false;
  tiling.threads = problem.virtual_threads;
  tiling.threads_in_turn = true;
  return tiling;
}

}  // namespace vantage::ops
