// The basic matrix multiply: 1 x 256 by 256 x 256, all of it in the scratchpads at once.
// docs/tutorials/matmul.md explains each step.
#include <fmt/format.h>

#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/compiler.h"
#include "examples/support/run_program.h"

using namespace vantage;
using namespace vantage::te;

int main() {
  const auto config = isa::Config::vta_default();
  const int batch = config.batch(), block = config.block_out();
  const int64_t m = 1, k = 16, n = 16;  // in tiles

  const te::Tensor a = placeholder({m, k, batch, block}, kInt8, "A"), b = placeholder({n, k, block, block}, kInt8, "B");
  const ReduceAxis ko = reduce_axis(k, "ko"), ki = reduce_axis(block, "ki");
  const te::Tensor sums = compute(
      {m, n, batch, block},
      [&](Expr bo, Expr co, Expr bi, Expr ci) {
        return sum(cast(kInt32, a(bo, ko, bi, ki)) * cast(kInt32, b(co, ko, ci, ki)), {ko, ki});
      },
      "sums");
  const te::Tensor c = cast(kInt8, sums, "C");
  const ir::PrimFunc function = create_prim_func({a, b, c}, "matmul");
  fmt::print("Default schedule:\n{}\n", to_text(function));

  schedule::Schedule s(function, vta::intrinsics(config));
  const auto gemm = s.get_block("sums");
  s.set_scope(gemm, "vta.acc");
  const auto load_a = s.cache_read(gemm, "A", "vta.inp"), load_b = s.cache_read(gemm, "B", "vta.wgt");
  for (const auto copy : {load_a, load_b, s.get_block("C")}) s.pragma(s.get_loops(copy)[0], "dma_copy");
  fmt::print("In the scratchpads, with DMA:\n{}\n", to_text(s.function()));

  const auto loops = s.get_loops(gemm);  // bo co bi ci ko ki
  s.reorder({loops[4], loops[0], loops[1], loops[2], loops[3], loops[5]});
  fmt::print("Tiles of the sum outside:\n{}\n", to_text(s.function()));
  s.decompose_reduction(gemm, loops[4]);
  fmt::print("Initial values taken out:\n{}\n", to_text(s.function()));
  s.tensorize(loops[2], "vta.gemm");
  fmt::print("Tensorized:\n{}\n", to_text(s.function()));

  const Program program = vta::compile(s.function(), config, [](const passes::Step& step) {
    if (step.name == "place_scratchpads") fmt::print("Lowered:\n{}\n", step.text());
  });
  const examples::Tensors inputs = examples::random_tensors(function, -4, 4);
  return examples::check_and_report(program, inputs, examples::interpreted(function, inputs),
                                    "fsim:", "Successful matrix multiply test!");
}
