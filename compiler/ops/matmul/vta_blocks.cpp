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
  int64_t m, k, n;
};

Tiles in_tiles(int64_t m, int64_t k, int64_t n, const isa::Config& config) {
  return {ceil_div(m, int64_t{config.batch()}), ceil_div(k, int64_t{config.block_in()}),
          ceil_div(n, int64_t{config.block_out()})};
}

// Scratchpad elements that one virtual thread needs.
int64_t acc_needed(const Tiles& block, bool bias) {
  return block.m * block.n + (bias ? block.n : 0);
}

// Halves the larger of the sides that may shrink; false when neither can.
bool halve_larger(int64_t* a, int64_t* b) {
  int64_t* larger = nullptr;
  for (int64_t* side : {a, b}) {
    if (side != nullptr && *side > 1 && (larger == nullptr || *side > *larger)) larger = side;
  }
  if (larger != nullptr) *larger = ceil_div(*larger, int64_t{2});
  return larger != nullptr;
}

}  // namespace

GemmBlocks choose_gemm_blocks(const isa::Config& config, const MatmulShape& shape, bool bias, int virtual_threads,
                              const GemmBlocks& wanted, const GemmBlocks& limit) {
  const int64_t threads = std::max(1, virtual_threads);
  const auto share = [&](Memory memory) { return static_cast<int64_t>(config.depth(memory).count()) / threads; };
  const auto side = [](int64_t given, int64_t most, int64_t size) { return std::min(given != 0 ? given : most, size); };
  Tiles t = in_tiles(side(wanted.m, limit.m, shape.m), side(wanted.k, limit.k, shape.k),
                     side(wanted.n, limit.n, shape.n), config);
  int64_t* const m = wanted.m == 0 ? &t.m : nullptr;
  int64_t* const k = wanted.k == 0 ? &t.k : nullptr;
  int64_t* const n = wanted.n == 0 ? &t.n : nullptr;
  while (acc_needed(t, bias) > share(Memory::kAcc) && halve_larger(m, n)) continue;
  // Blocks of the result are what threads share out
  const Tiles all = in_tiles(shape.m, shape.k, shape.n, config);
  while (ceil_div(all.m, t.m) * ceil_div(all.n, t.n) < threads && halve_larger(m, n)) continue;
  while (t.m * t.k > share(Memory::kInp) && halve_larger(m, k)) continue;
  while (t.n * t.k > share(Memory::kWgt) && halve_larger(n, k)) continue;
  return {wanted.m != 0 ? wanted.m : t.m * config.batch(), wanted.k != 0 ? wanted.k : t.k * config.block_in(),
          wanted.n != 0 ? wanted.n : t.n * config.block_out()};
}

int64_t result_blocks(const isa::Config& config, const MatmulShape& shape, const GemmBlocks& blocks) {
  const Tiles all = in_tiles(shape.m, shape.k, shape.n, config), block = in_tiles(blocks.m, blocks.k, blocks.n, config);
  return ceil_div(all.m, block.m) * ceil_div(all.n, block.n);
}

VtaConv2dTiling gemm_tiling(const isa::Config& config, const MatmulShape& shape, const GemmBlocks& blocks,
                            int virtual_threads) {
  if (shape.m < 1 || shape.k < 1 || shape.n < 1) fail("a matrix multiply needs sizes of at least 1");
  if (blocks.m < 1 || blocks.k < 1 || blocks.n < 1) fail("a matrix multiply needs blocks of at least 1");
  if (virtual_threads < 1) fail("a matrix multiply needs at least 1 virtual thread");
  const Tiles block =
      in_tiles(std::min(blocks.m, shape.m), std::min(blocks.k, shape.k), std::min(blocks.n, shape.n), config);
  VtaConv2dTiling tiling;
  tiling.n = block.m;
  tiling.ic = block.k;
  tiling.oc = block.n;
  tiling.channels_outside = false;
  tiling.threads = virtual_threads;
  tiling.threads_in_turn = virtual_threads > 1;
  return tiling;
}

}  // namespace vantage::ops
