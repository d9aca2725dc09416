// The schedule primitives on loops, one by one, on sizes that are only known when the function is called.
// docs/tutorials/schedule_primitives.md explains each.
#include <fmt/format.h>

#include "compiler/compiler.h"

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

// B[i] = A[i] * 2 on n elements.
ir::PrimFunc scaled() {
  const Var n = var("n");
  const te::Tensor a = placeholder({n}, kFloat32, "A");
  const te::Tensor b = compute(
      {n}, [&](Expr i) { return a(i) * 2.0f; }, "B");
  return create_prim_func({a, b}, "scaled");
}

// B[i, j] = A[i, j] + 1 on m x n elements.
ir::PrimFunc plus_one() {
  const Var m = var("m"), n = var("n");
  const te::Tensor a = placeholder({m, n}, kFloat32, "A");
  const te::Tensor b = compute(
      {m, n}, [&](Expr i, Expr j) { return a(i, j) + 1.0f; }, "B");
  return create_prim_func({a, b}, "plus_one");
}

void show(const char* title, const Schedule& s) {
  fmt::print("{}:\n{}\n", title, to_text(s.function()));
}

}  // namespace

int main() {
  {
    Schedule s(scaled());
    show("default", s);
    s.split_by_factor(s.get_loop(s.get_block("B"), "i"), 32);
    show("split by a factor of 32", s);
  }
  {
    Schedule s(scaled());
    s.split_by_parts(s.get_loop(s.get_block("B"), "i"), 32);
    show("split into 32 parts", s);
  }
  {
    Schedule s(plus_one());
    const auto loops = s.get_loops(s.get_block("B"));
    s.tile(loops[0], loops[1], 10, 5);
    show("tile of 10 x 5", s);
  }
  {
    Schedule s(plus_one());
    const auto loops = s.get_loops(s.get_block("B"));
    const auto tiles = s.tile(loops[0], loops[1], 10, 5);
    s.fuse({tiles[2], tiles[3]});
    show("fuse of the inner loops", s);
  }
  {
    Schedule s(plus_one());
    const auto loops = s.get_loops(s.get_block("B"));
    const auto tiles = s.tile(loops[0], loops[1], 10, 5);
    s.reorder({tiles[2], tiles[0], tiles[1], tiles[3]});
    show("reorder", s);
  }
  {
    Schedule s(scaled());
    const auto parts = s.split_by_factor(s.get_loop(s.get_block("B"), "i"), 64);
    s.bind(parts[0], "blockIdx.x");
    s.bind(parts[1], "threadIdx.x");
    show("bind", s);
  }
  return 0;
}
