// Recurrences: running sums, and a small recurrent network, as tensor expressions, scheduled and interpreted.
// docs/tutorials/scan.md explains each step.
#include <fmt/format.h>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "compiler/compiler.h"
#include "examples/support/run_on_cpu.h"
#include "examples/support/run_program.h"

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

void show(const std::string& what, const ir::PrimFunc& function) {
  fmt::print("{}:\n{}\n", what, to_text(function));
}

void require_equal(const ir::PrimFunc& before, const ir::PrimFunc& after, const std::string& result) {
  const examples::Tensors inputs = examples::random_tensors(before, -8, 8);
  const auto expected = examples::interpreted(before, inputs), got = examples::interpreted(after, inputs);
  const auto difference = vantage::difference(expected.at(result), got.at(result));
  if (difference) fail("{} is wrong: {}", result, *difference);
  fmt::print("The interpreter gets the same from both.\n\n");
}

// S[t, i] = X[0, i] + ... + X[t, i]
void running_sums() {
  const int64_t steps = 16, columns = 64;
  const te::Tensor x = placeholder({steps, columns}, kFloat32, "X");
  const te::Tensor state = placeholder({steps, columns}, kFloat32, "state");
  const te::Tensor init = compute(
      {1, columns}, [&](Expr, Expr i) { return x(0, i); }, "init");
  const te::Tensor update = compute(
      {steps, columns}, [&](Expr t, Expr i) { return state(t - 1, i) + x(t, i); }, "update");
  const ir::PrimFunc function = create_prim_func({x, scan(init, update, state, "S")}, "running_sums");
  show("Running sums", function);

  Schedule s(function);
  const auto loops = s.get_loops(s.get_block("update"));  // t i
  const auto columns_of = s.split_by_factor(loops[1], 16);
  s.reorder({columns_of[0], loops[0], columns_of[1]});
  s.parallel(columns_of[0]);
  s.vectorize(columns_of[1]);
  show("Columns on threads and in lanes, time between them", s.function());
  require_equal(function, s.function(), "S");

  try {
    s.parallel(loops[0]);
  } catch (const Error& error) {
    fmt::print("Time itself is refused:\n{}\n\n", error.what());
  }
}

// H[0] = 0, H[t] = clip(X[t] . W + H[t - 1] . U, -1, 1): a cell with a sum in it, and one that needs no earlier step.
void recurrent_cell() {
  const int64_t steps = 8, inputs = 16, units = 32;
  const te::Tensor x = placeholder({steps, inputs}, kFloat32, "X"), w = placeholder({inputs, units}, kFloat32, "W"),
                   u = placeholder({units, units}, kFloat32, "U");
  const te::Tensor state = placeholder({steps, units}, kFloat32, "state");
  const ReduceAxis k = reduce_axis(inputs, "k"), l = reduce_axis(units, "l");
  const te::Tensor projected = compute(
      {steps, units}, [&](Expr t, Expr j) { return sum(x(t, k) * w(k, j), {k}); }, "projected");
  const te::Tensor init = compute(
      {1, units}, [&](Expr, Expr) { return 0.0F; }, "init");
  const te::Tensor recurrent = compute(
      {steps, units}, [&](Expr t, Expr j) { return sum(state(t - 1, l) * u(l, j), {l}); }, "recurrent");
  const te::Tensor update = map(
      projected, recurrent, [](Expr a, Expr b) { return clip(a + b, -1, 1); }, "update");
  const ir::PrimFunc function = create_prim_func({x, w, u, scan(init, update, state, "H")}, "recurrent_cell");
  show("A recurrent cell", function);

  Schedule s(function);
  const auto from_inputs = s.get_block("projected"), from_state = s.get_block("recurrent");
  s.compute_at(from_inputs, s.get_loops(s.get_block("update"))[0]);
  show("Each step's projection in that step", s.function());
  for (const auto block : {from_inputs, from_state}) {
    const auto loops = s.get_loops(block);  // time, and in it units and the sum
    const size_t last = loops.size() - 1;
    s.reorder({loops[last], loops[last - 1]});
    s.decompose_reduction(block, loops[last]);
    s.vectorize(loops[last - 1]);
  }
  s.vectorize(s.get_loops(s.get_block("update"))[1]);
  show("Initial values in front of the sums, units in lanes", s.function());
  require_equal(function, s.function(), "H");

  const examples::Arrays arrays = examples::small_numbers(function);
  const auto compiled = examples::run_on_cpu(s.function(), arrays).arrays;
  if (vantage::difference(examples::run_on_cpu(function, arrays).arrays.back(), compiled.back())) {
    fail("what was compiled differs");
  }
  fmt::print("So does the processor.\n");
}

}  // namespace

int main() try {
  running_sums();
  recurrent_cell();
  return 0;
} catch (const Error& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 1;
}
