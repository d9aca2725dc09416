// A convolution as a kernel of a GPU: blocks, threads, virtual threads, shared memory that threads fill together with
// wide loads, the barriers that this needs, and the CUDA C++ that it becomes. docs/tutorials/gpu_conv2d.md explains
// each step.
#include <fmt/format.h>

#include "base/error.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/backend/cuda/split_kernels.h"
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
};
// The layer, and one that is small enough to be interpreted thread by thread.
constexpr Sizes kLayer = {256, 14, 256, 512}, kSmall = {64, 2, 16, 64};
constexpr int64_t kKernel = 3, kPad = 1;

// A block makes 64 x 64 sums by 8 x 8 threads. Each thread makes 4 x 4 sums for each of 2 x 2 virtual threads, for
// which the block fetches 8 input channels at a time, 4 elements a load.
constexpr int64_t kTile = 64, kThreads = 8, kVirtual = 2, kStep = 8, kLanes = 4;

// Images lie innermost, so that neighbouring threads touch neighbouring elements.
ir::PrimFunc conv2d(const Sizes& p) {
  const te::Tensor a = placeholder({p.size, p.size, p.inputs, p.batch}, kFloat32, "A");
  const te::Tensor w = placeholder({kKernel, kKernel, p.inputs, p.outputs}, kFloat32, "W");
  const te::Tensor padded = compute(
      {p.size + 2 * kPad, p.size + 2 * kPad, p.inputs, p.batch},
      [&](Expr y, Expr x, Expr c, Expr n) {
        const Expr inside = y >= kPad && y < p.size + kPad && x >= kPad && x < p.size + kPad;
        return if_then_else(inside, a(y - kPad, x - kPad, c, n), 0.0F);
      },
      "padded");
  const ReduceAxis ic = reduce_axis(p.inputs, "ic"), ky = reduce_axis(kKernel, "ky"), kx = reduce_axis(kKernel, "kx");
  const te::Tensor b = compute(
      {p.size, p.size, p.outputs, p.batch},
      [&](Expr y, Expr x, Expr o, Expr n) {
        return sum(padded(y + ky, x + kx, ic, n) * w(ky, kx, ic, o), {ic, ky, kx});
      },
      "B");
  return create_prim_func({a, w, b}, "conv2d");
}

// What is read goes to shared memory, where all threads of a block fetch together what all of them need in one turn of
// the loop `step`, and from there to a thread's registers, what it needs for one channel.
void fetch(Schedule& s, BlockRV conv, const std::string& name, LoopRV step, LoopRV channel) {
  const BlockRV fetched = s.cache_read(conv, name, "shared");
  const BlockRV own = s.cache_read(conv, name + "_shared", "local");
  s.compute_at(own, channel);
  s.vectorize(s.get_loops(own).back());
  s.compute_at(fetched, step);
  const auto loops = s.get_loops(fetched);
  const LoopRV elements = s.fuse({loops[loops.size() - 2], loops.back()});
  const auto parts = s.split(elements, {std::nullopt, kThreads, kThreads, kLanes});
  s.bind(parts[1], "threadIdx.y");
  s.bind(parts[2], "threadIdx.x");
  s.vectorize(parts[3]);
}

Schedule scheduled(const ir::PrimFunc& function) {
  Schedule s(function);
  const BlockRV conv = s.get_block("B");
  const auto loops = s.get_loops(conv);  // y x o n ic ky kx
  const LoopRV pixel = s.fuse({loops[0], loops[1]});
  const auto o = s.split(loops[2], {std::nullopt, kVirtual, kThreads, kTile / kVirtual / kThreads});
  const auto n = s.split(loops[3], {std::nullopt, kVirtual, kThreads, kTile / kVirtual / kThreads});
  const auto ic = s.split(loops[4], {std::nullopt, kStep});
  s.reorder({pixel, o[0], n[0], o[1], n[1], o[2], n[2], ic[0], loops[5], loops[6], ic[1], o[3], n[3]});
  s.bind(pixel, "blockIdx.z");
  s.bind(o[0], "blockIdx.y");
  s.bind(n[0], "blockIdx.x");
  s.bind(o[1], "vthread");
  s.bind(n[1], "vthread");
  s.bind(o[2], "threadIdx.y");
  s.bind(n[2], "threadIdx.x");
  // Sums stay in registers.
  const BlockRV written = s.cache_write(conv, "local");
  s.reverse_compute_at(written, n[2]);
  s.vectorize(s.get_loops(written).back());
  fetch(s, conv, "padded", loops[6], ic[1]);
  fetch(s, conv, "W", loops[6], ic[1]);
  // Borders are made where images are fetched.
  s.compute_inline(s.get_block("padded"));
  s.decompose_reduction(conv, ic[0]);
  return s;
}

}  // namespace

int main() {
  const ir::PrimFunc function = conv2d(kLayer);
  fmt::print("Defined:\n{}\n", to_text(function));
  const Schedule s = scheduled(function);
  fmt::print("Scheduled:\n{}\n", to_text(s.function()));
  const ir::PrimFunc lowered = cuda::lower(s.function(), [](const passes::Step& step) {
    if (step.name == "insert_barriers") fmt::print("Lowered:\n{}\n", step.text());
  });
  const ir::PrimFunc small = conv2d(kSmall);
  if (!examples::computes_the_same(small, cuda::lower(scheduled(small).function()), -8, 7)) return 1;
  const cuda::Module module = cuda::split_kernels(lowered);
  const cuda::KernelCode code = cuda::write_kernel(module.kernels.front());
  const std::string source = cuda::write_source({code});
  fmt::print("Kernel:\n{}\n", source);
  fmt::print("Banks of shared memory, how often each is asked for what a warp wants:\n");
  for (const cuda::BankUse& use : cuda::bank_uses(module.kernels.front(), code.shared_accesses)) {
    fmt::print("  {} {}\n", use.ways, use.access.text);
  }
  fmt::print("\n");
  examples::show_use(module.kernels.front(), code, {"sm_80", "sm_90a"});
  const workload::ImagesInnermost layer = {kLayer.size, kLayer.inputs, kLayer.outputs, kLayer.batch, kKernel};
  if (!examples::show_time(s.function(), layer)) return 1;

  // Bound to the same index, two loops inside each other mean nothing, unless threads fetch together.
  Schedule nested(function);
  const auto loops = nested.get_loops(nested.get_block("B"));
  nested.bind(loops[2], "threadIdx.x");
  try {
    nested.bind(loops[3], "threadIdx.x");
  } catch (const Error& error) {
    fmt::print("Refused: {}\n", error.what());
  }
  return 0;
}
