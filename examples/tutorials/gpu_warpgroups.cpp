// The same convolution as gpu_conv2d's by warpgroups, which Hopper has: what they multiply lies in shared memory, where
// the GPU's copy engine brings it. docs/tutorials/gpu_warpgroups.md explains each step.
#include <fmt/format.h>

#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/lower.h"
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
  int64_t images;  // that a block makes
};
// The layer, and one that is small enough to be interpreted.
constexpr Sizes kLayer = {256, 14, 256, 512, 256}, kSmall = {64, 2, 64, 128, 64};
constexpr int64_t kKernel = 3, kPad = 1;

// Two warpgroups make 64 outputs each, for all images of a block, 64 channels at a time: a row of 128 bytes.
constexpr int64_t kGroups = 2, kRows = 64, kStep = 64, kPiece = 16, kPlaces = 4;

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

Schedule scheduled(const Sizes& p) {
  Schedule s(conv2d(p), cuda::tensor_core_intrinsics(kFloat16));
  const BlockRV product = s.get_block("sums"), result = s.get_block("B");
  const auto loops = s.get_loops(product);  // y x o n ic ky kx
  const LoopRV pixel = s.fuse({loops[0], loops[1]});
  const auto o = s.split(loops[2], {std::nullopt, kGroups, kRows});
  const auto n = s.split(loops[3], {std::nullopt, p.images});
  const auto ic = s.split(loops[4], {std::nullopt, kStep / kPiece, kPiece});
  s.reorder({pixel, o[0], n[0], o[1], ic[0], loops[5], loops[6], ic[1], o[2], n[1], ic[2]});
  const LoopRV step = s.fuse({ic[0], loops[5], loops[6]});
  s.bind(pixel, "blockIdx.z");
  s.bind(o[0], "blockIdx.y");
  s.bind(n[0], "blockIdx.x");
  s.bind(o[1], "threadIdx.y");
  s.set_scope(product, "warpgroup");
  s.reverse_compute_at(result, o[1]);
  for (const char* name : {"W", "padded"}) s.compute_at(s.cache_read(product, name, "shared.swizzled"), step);
  s.compute_inline(s.get_block("padded"));
  s.annotate(step, "pipeline_stages", kPlaces);
  // The products of weights and images, both of which lie transposed, for so many images.
  const std::string group = fmt::format("group.f16_tn.n{}", p.images);
  const auto own = s.get_loops(result);
  s.tensorize(own[own.size() - 2], group + ".store_half");
  const BlockRV zero = s.decompose_reduction(product, step);
  s.tensorize(o[2], group + ".product");
  const auto zeros = s.get_loops(zero);
  s.tensorize(zeros[zeros.size() - 2], group + ".product");
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
  fmt::print("Kernel:\n{}", code.text);
  examples::show_use(module.kernels.front(), code, {"sm_90a"});
  const workload::ImagesInnermost layer = {kLayer.size, kLayer.inputs, kLayer.outputs, kLayer.batch, kKernel};
  if (!examples::show_time(s.function(), layer)) return 1;
  return 0;
}
