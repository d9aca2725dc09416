// Matrix multiply and ReLU, 128 x 128: from a description as in NumPy to a schedule with its trace.
// docs/tutorials/matmul_relu.md explains each step.
#include <fmt/format.h>

#include "base/tensor/compare.h"
#include "compiler/compiler.h"
#include "examples/support/run_program.h"

using namespace vantage;
using namespace vantage::te;

int main() {
  // C = np.maximum(A @ B, 0)
  const te::Tensor a = placeholder({128, 128}, kFloat32, "A"), b = placeholder({128, 128}, kFloat32, "B");
  const ReduceAxis k = reduce_axis(128, "k");
  const te::Tensor y = compute(
      {128, 128}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "Y");
  const te::Tensor c = relu(y, "C");
  const ir::PrimFunc function = create_prim_func({a, b, c}, "matmul_relu");
  fmt::print("The module:\n{}\n", to_text(function));

  schedule::Schedule s(function);
  const auto product = s.get_block("Y");
  const auto loops = s.get_loops(product);  // i j k
  const auto j = s.split(loops[1], {std::nullopt, 8});
  s.reorder({loops[0], j[0], loops[2], j[1]});
  fmt::print("After split and reorder:\n{}\n", to_text(s.function()));
  s.reverse_compute_at(s.get_block("C"), j[0]);
  fmt::print("After reverse_compute_at:\n{}\n", to_text(s.function()));
  s.decompose_reduction(product, loops[2]);
  fmt::print("After decompose_reduction:\n{}\n", to_text(s.function()));
  fmt::print("The trace:\n{}\n", to_cpp(s.trace()));

  // Both are run; whole numbers, so that no order of a sum rounds.
  examples::Tensors expected = examples::random_tensors(function, -8, 8), got = expected;
  const auto run = [](const ir::PrimFunc& f, examples::Tensors& tensors) {
    ir::interpret(f, {&tensors.at("A"), &tensors.at("B"), &tensors.at("C")});
  };
  run(function, expected);
  run(s.function(), got);
  if (const auto difference = vantage::difference(expected.at("C"), got.at("C"))) {
    fmt::print(stderr, "error: C is wrong: {}\n", *difference);
    return 1;
  }
  fmt::print("Both compute the same.\n");
  return 0;
}
