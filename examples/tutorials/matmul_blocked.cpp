// The blocked matrix multiply: 1 x 1024 by 1024 x 1024 in blocks of 256 x 256, with shift and limits.
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
  const int64_t m = 1, k = 64, n = 64;  // in tiles

  const te::Tensor a = placeholder({m, k, batch, block}, kInt8, "A"), b = placeholder({n, k, block, block}, kInt8, "B");
  const ReduceAxis ko = reduce_axis(k, "ko"), ki = reduce_axis(block, "ki");
  const te::Tensor sums = compute(
      {m, n, batch, block},
      [&](Expr bo, Expr co, Expr bi, Expr ci) {
        return sum(cast(kInt32, a(bo, ko, bi, ki)) * cast(kInt32, b(co, ko, ci, ki)), {ko, ki});
      },
      "sums");
  const te::Tensor shifted = (sums >> 8).named("shifted");
  const te::Tensor above = max(shifted, 0, "above");
  const te::Tensor below = min(above, 127, "below");
  const te::Tensor c = cast(kInt8, below, "C");
  const ir::PrimFunc function = create_prim_func({a, b, c}, "matmul");
  fmt::print("Default schedule:\n{}\n", to_text(function));

  // 256 columns of the result at a time; everything that makes them, for them only.
  schedule::Schedule s(function, vta::intrinsics(config));
  const auto out = s.get_block("C"), gemm = s.get_block("sums");
  const auto loops = s.get_loops(out);
  const auto columns = s.split_by_factor(loops[1], 256 / block);
  s.reorder({columns[0], loops[0], columns[1], loops[2], loops[3]});
  for (const char* name : {"below", "above", "shifted", "sums"}) s.compute_at(s.get_block(name), columns[0]);
  fmt::print("One block of columns at a time:\n{}\n", to_text(s.function()));
  // The sum over k in four parts of 256.
  const auto inner = s.get_loops(gemm);  // columns, then bo co bi ci ko ki
  const auto depth = s.split_by_factor(inner[5], 256 / block);
  s.reorder({depth[0], inner[1], inner[2], depth[1], inner[3], inner[4], inner[6]});
  fmt::print("Tiled:\n{}\n", to_text(s.function()));

  for (const char* name : {"below", "above", "shifted", "sums"}) s.set_scope(s.get_block(name), "vta.acc");
  const auto load_a = s.cache_read(gemm, "A", "vta.inp"), load_b = s.cache_read(gemm, "B", "vta.wgt");
  s.compute_at(load_a, depth[0]);
  s.compute_at(load_b, depth[0]);
  s.pragma(s.get_loops(load_a)[2], "dma_copy");
  s.pragma(s.get_loops(load_b)[2], "dma_copy");
  s.pragma(loops[0], "dma_copy");
  fmt::print("In the scratchpads, with DMA:\n{}\n", to_text(s.function()));

  s.decompose_reduction(gemm, depth[0]);
  fmt::print("Initial values taken out:\n{}\n", to_text(s.function()));
  s.tensorize(inner[3], "vta.gemm");
  fmt::print("Tensorized:\n{}\n", to_text(s.function()));

  const Program program = vta::compile(s.function(), config, [](const passes::Step& step) {
    if (step.name == "place_scratchpads") fmt::print("Lowered:\n{}\n", step.text());
  });
  const examples::Tensors inputs = examples::random_tensors(function, -16, 15);
  return examples::check_and_report(program, inputs, examples::interpreted(function, inputs),
                                    "fsim:", "Successful blocked matrix multiply test!");
}
