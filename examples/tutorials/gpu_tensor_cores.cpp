// The same convolution as gpu_conv2d's on the tensor cores of a GPU: warps hold tiles in their registers, and what they
// multiply is fetched three steps ahead. docs/tutorials/gpu_tensor_cores.md explains each step.
#include <fmt/format.h>

#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "examples/support/gpu_kernel.h"

using namespace vantage;
using namespace vantage::te;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

struct Sizes {
  int64_t batch, size, inputs, outputs;
  int64_t side;  // a block makes side x side results: outputs by images
};
// The layer, and one that is small enough to be interpreted thread by thread.
constexpr Sizes kLayer = {256, 14, 256, 512, 128}, kSmall = {64, 2, 32, 64, 64};
constexpr int64_t kKernel = 3, kPad = 1;

// A warp makes the results of side / 2 outputs and 32 images, 32 channels at a time.
constexpr int64_t kOutputWarps = 2, kImages = 32, kStep = 32, kStages = 4;
constexpr int64_t kLanes = 8;  // elements that a thread fetches at once
// Tiles of 16 outputs by 8 images. The weights lie as [channel][output]: the left side of the product, transposed.
constexpr int64_t kTileM = 16, kTileN = 8, kTileK = 16;
const std::string kTile = "tile.f16_tn";

ir::PrimFunc conv2d(const Sizes& p) {
  const te::Tensor a = placeholder({p.size, p.size, p.inputs, p.batch}, kFloat16, "A");
  const te::Tensor w = placeholder({kKernel, kKernel, p.inputs, p.outputs}, kFloat16, "W");
  const te::Tensor padded = compute(
      {p.size + 2 * kPad, p.size + 2 * kPad, p.inputs, p.batch},
      [&](Expr y, Expr x, Expr c, Expr n) {
        const Expr inside = y >= kPad && y < p.size + kPad && x >= kPad && x < p.size + kPad;
        return if_then_else(inside, a(y - kPad, x - kPad, c, n), ir::make_zero(kFloat16));
      },
      "padded");
  const ReduceAxis ic = reduce_axis(p.inputs, "ic"), ky = reduce_axis(kKernel, "ky"), kx = reduce_axis(kKernel, "kx");
  const te::Tensor sums = compute(
      {p.size, p.size, p.outputs, p.batch},
      [&](Expr y, Expr x, Expr o, Expr n) {
        const Expr weight = cast(kFloat32, w(ky, kx, ic, o));
        return sum(weight * cast(kFloat32, padded(y + ky, x + kx, ic, n)), {ic, ky, kx});
      },
      "sums");
  const te::Tensor b = compute(
      {p.size, p.size, p.outputs, p.batch},
      [&](Expr y, Expr x, Expr o, Expr n) { return cast(kFloat16, sums(y, x, o, n)); }, "B");
  return create_prim_func({a, w, b}, "conv2d");
}

// The last two loops of a block become those of tiles, done by an intrinsic.
void take_tiles(Schedule& s, BlockRV block, int64_t rows, int64_t columns, const std::string& intrinsic) {
  const auto loops = s.get_loops(block);
  const auto r = s.split(loops[loops.size() - 2], {std::nullopt, rows});
  const auto c = s.split(loops.back(), {std::nullopt, columns});
  s.reorder({r[0], c[0], r[1], c[1]});
  s.tensorize(r[1], kTile + intrinsic);
}

// All threads of a block fetch what its warps need for a step, and warps take tiles of it.
BlockRV fetch(Schedule& s, BlockRV product, const std::string& name, const Sizes& p, LoopRV step, LoopRV depth) {
  const BlockRV fetched = s.cache_read(product, name, "shared");
  const BlockRV tiles = s.cache_read(product, name + "_shared", "warp");
  s.compute_at(tiles, depth);
  s.compute_at(fetched, step);
  const auto loops = s.get_loops(fetched);
  const auto parts = s.split(s.fuse({loops[loops.size() - 2], loops.back()}),
                             {std::nullopt, kOutputWarps, p.side / kImages, cuda::kWarpThreads, kLanes});
  s.bind(parts[1], "threadIdx.z");
  s.bind(parts[2], "threadIdx.y");
  s.bind(parts[3], "threadIdx.x");
  s.vectorize(parts[4]);
  // Rows that follow each other begin in different banks.
  s.storage_align(fetched, 2, p.side, kLanes);
  return tiles;
}

Schedule scheduled(const Sizes& p) {
  Schedule s(conv2d(p), cuda::tensor_core_intrinsics(kFloat16));
  const BlockRV product = s.get_block("sums"), result = s.get_block("B");
  const auto loops = s.get_loops(product);  // y x o n ic ky kx
  const LoopRV pixel = s.fuse({loops[0], loops[1]});
  const auto o = s.split(loops[2], {std::nullopt, kOutputWarps, p.side / kOutputWarps / kTileM, kTileM});
  const auto n = s.split(loops[3], {std::nullopt, p.side / kImages, kImages / kTileN, kTileN});
  const auto ic = s.split(loops[4], {std::nullopt, kStep / kTileK, kTileK});
  s.reorder({pixel, o[0], n[0], o[1], n[1], ic[0], loops[5], loops[6], ic[1], o[2], n[2], o[3], n[3], ic[2]});
  const LoopRV step = s.fuse({ic[0], loops[5], loops[6]});
  s.bind(pixel, "blockIdx.z");
  s.bind(o[0], "blockIdx.y");
  s.bind(n[0], "blockIdx.x");
  s.bind(o[1], "threadIdx.z");
  s.bind(n[1], "threadIdx.y");
  s.set_scope(product, "warp");
  s.reverse_compute_at(result, n[1]);
  const BlockRV weights = fetch(s, product, "W", p, step, ic[1]);
  const BlockRV images = fetch(s, product, "padded", p, step, ic[1]);
  s.compute_inline(s.get_block("padded"));
  s.annotate(step, "pipeline_stages", kStages);
  take_tiles(s, weights, kTileK, kTileM, ".load_a");
  take_tiles(s, images, kTileK, kTileN, ".load_b");
  take_tiles(s, result, kTileM, kTileN, ".store_half");
  const BlockRV zero = s.decompose_reduction(product, step);
  s.tensorize(o[3], kTile + ".product");
  const auto zeros = s.get_loops(zero);
  s.tensorize(zeros[zeros.size() - 2], kTile + ".product");
  return s;
}

}  // namespace

int main() {
  const Schedule s = scheduled(kLayer);
  fmt::print("Scheduled:\n{}\n", to_text(s.function()));
  const ir::PrimFunc lowered = cuda::lower(s.function());
  fmt::print("Lowered:\n{}\n", to_text(lowered));
  const ir::PrimFunc small = cuda::lower(scheduled(kSmall).function());
  if (!examples::computes_the_same(conv2d(kSmall), small, -2, 2)) return 1;
  const cuda::Module module = cuda::split_kernels(lowered);
  const cuda::KernelCode code = cuda::write_kernel(module.kernels.front());
  const std::string source = cuda::write_source({code});
  fmt::print("Kernel:\n{}\n", source);
  fmt::print("Banks of shared memory, how often each is asked for what a warp wants:\n");
  for (const cuda::BankUse& use : cuda::bank_uses(module.kernels.front(), code.shared_accesses)) {
    fmt::print("  {} {}\n", use.ways, use.access.text);
  }
  examples::show_use(module.kernels.front(), code, {"sm_80", "sm_90a"});
  const workload::ImagesInnermost layer = {kLayer.size, kLayer.inputs, kLayer.outputs, kLayer.batch, kKernel};
  if (!examples::show_time(s.function(), layer)) return 1;
  return 0;
}
