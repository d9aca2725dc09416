// A convolution as a kernel of a GPU: blocks, threads, virtual threads, shared memory that threads fill together, and
// the barriers that this needs. The interpreter runs it as threads. docs/tutorials/gpu_conv2d.md explains each step.
#include <fmt/format.h>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "examples/support/run_program.h"

using namespace vantage;
using namespace vantage::te;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kBatch = 16, kSize = 6, kInputs = 16, kOutputs = 32, kKernel = 3, kPad = 1;
// A block makes 16 x 16 sums by 4 x 4 threads. Each thread makes 2 x 2 sums for each of 2 x 2 virtual threads, for
// which it fetches 4 input channels at a time.
constexpr int64_t kTile = 16, kThreads = 4, kVirtual = 2, kStep = 4;

// Images lie innermost, so that neighbouring threads touch neighbouring elements.
ir::PrimFunc conv2d() {
  const te::Tensor a = placeholder({kSize, kSize, kInputs, kBatch}, kInt32, "A");
  const te::Tensor w = placeholder({kKernel, kKernel, kInputs, kOutputs}, kInt32, "W");
  const te::Tensor padded = compute(
      {kSize + 2 * kPad, kSize + 2 * kPad, kInputs, kBatch},
      [&](Expr y, Expr x, Expr c, Expr n) {
        const Expr inside = y >= kPad && y < kSize + kPad && x >= kPad && x < kSize + kPad;
        return if_then_else(inside, a(y - kPad, x - kPad, c, n), 0);
      },
      "padded");
  const ReduceAxis ic = reduce_axis(kInputs, "ic"), ky = reduce_axis(kKernel, "ky"), kx = reduce_axis(kKernel, "kx");
  const te::Tensor b = compute(
      {kSize, kSize, kOutputs, kBatch},
      [&](Expr y, Expr x, Expr o, Expr n) {
        return sum(padded(y + ky, x + kx, ic, n) * w(ky, kx, ic, o), {ic, ky, kx});
      },
      "B");
  return create_prim_func({a, w, b}, "conv2d");
}

// All threads of a block fetch together what all of them need.
void fetch(Schedule& s, BlockRV conv, const char* name, LoopRV at) {
  const BlockRV fetched = s.cache_read(conv, name, "shared");
  s.compute_at(fetched, at);
  const auto loops = s.get_loops(fetched);
  const auto parts = s.split(s.fuse({loops[loops.size() - 2], loops.back()}), {std::nullopt, kThreads, kThreads});
  s.bind(parts[1], "threadIdx.y");
  s.bind(parts[2], "threadIdx.x");
}

Schedule scheduled(const ir::PrimFunc& function) {
  Schedule s(function);
  s.compute_inline(s.get_block("padded"));
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
  fmt::print("Bound:\n{}\n", to_text(s.function()));
  // Sums stay in registers.
  s.reverse_compute_at(s.cache_write(conv, "local"), n[2]);
  fetch(s, conv, "A", loops[6]);
  fetch(s, conv, "W", loops[6]);
  s.decompose_reduction(conv, ic[0]);
  return s;
}

}  // namespace

int main() {
  const ir::PrimFunc function = conv2d();
  fmt::print("Defined:\n{}\n", to_text(function));
  const Schedule s = scheduled(function);
  fmt::print("Scheduled:\n{}\n", to_text(s.function()));
  const ir::PrimFunc kernel = cuda::lower(s.function(), [](const passes::Step& step) {
    if (step.name == "insert_barriers") fmt::print("Lowered:\n{}\n", step.text());
  });

  // The interpreter runs every thread, and looks for two that touch one element with no barrier between.
  const examples::Tensors inputs = examples::random_tensors(function, -8, 7);
  const examples::Tensors expected = examples::interpreted(function, inputs);
  const examples::Tensors result = examples::interpreted(kernel, inputs);
  if (const auto difference = vantage::difference(expected.at("B"), result.at("B"))) {
    fmt::print(stderr, "error: {}\n", *difference);
    return 1;
  }
  fmt::print("The kernel computes the same, and no two threads race.\n");

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
