// Vector addition on the VTA's ALU: C = A + B, element by element. docs/tutorials/vector_add.md explains each step.
#include <fmt/format.h>

#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/compiler.h"
#include "examples/support/run_program.h"
#include "hw/program/assembly.h"

using namespace vantage;
using namespace vantage::te;

int main() {
  const auto config = isa::Config::vta_default();

  // What is computed: 64 vectors of 16 lanes.
  const std::vector<Expr> shape = {1, 64, config.batch(), config.block_out()};
  const te::Tensor a = placeholder(shape, kInt32, "A"), b = placeholder(shape, kInt32, "B");
  const te::Tensor sum = (a + b).named("sum");
  const te::Tensor c = cast(kInt8, sum, "C");
  const ir::PrimFunc function = create_prim_func({a, b, c}, "vector_add");
  fmt::print("What is computed:\n{}\n", to_text(function));

  // How: operands and sum in accumulators, everything else by DMA.
  schedule::Schedule s(function);
  const auto add = s.get_block("sum");
  const auto load_a = s.cache_read(add, "A", "vta.acc"), load_b = s.cache_read(add, "B", "vta.acc");
  s.set_scope(add, "vta.acc");
  for (const auto block : {load_a, load_b, s.get_block("C")}) s.pragma(s.get_loops(block)[0], "dma_copy");
  fmt::print("Scheduled:\n{}\n", to_text(s.function()));

  const Program program = vta::compile(s.function(), config);
  fmt::print("The program:\n{}\n", disassemble(program));
  const examples::Tensors inputs = examples::random_tensors(function, -60, 60);
  return examples::check_and_report(program, inputs, examples::interpreted(function, inputs),
                                    "fsim:", "Successful vector add test!");
}
