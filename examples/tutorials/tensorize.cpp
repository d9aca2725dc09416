// An instruction of one's own, declared by its formula and put into a matrix multiply; then the VTA's.
// docs/tutorials/tensorize.md explains each step.
#include <fmt/format.h>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/compiler.h"
#include "examples/support/run_program.h"

using namespace vantage;
using namespace vantage::te;
using schedule::instruction;
using schedule::Operands;
using schedule::Schedule;

namespace {

// C = A . B, m x k by k x n.
ir::PrimFunc product(int64_t m, int64_t n, int64_t depth, ir::DType operands = kInt8) {
  const te::Tensor a = placeholder({m, depth}, operands, "A"), b = placeholder({depth, n}, operands, "B");
  const ReduceAxis k = reduce_axis(depth, "k");
  const te::Tensor c = compute(
      {m, n}, [&](Expr i, Expr j) { return sum(cast(kInt32, a(i, k)) * cast(kInt32, b(k, j)), {k}); }, "C");
  return create_prim_func({a, b, c}, "product");
}

// The new target's instructions, as the interpreter is to do them: dev.zero(C), dev.mma(C, A, B) which adds the product
// of A and B to C, and dev.product(C, A, B) which overwrites C with it.
schedule::Externs device() {
  const auto product = [](ir::ExternCall& call, bool add) {
    const ir::ExternView &c = call.view(0), &a = call.view(1), &b = call.view(2);
    for (int64_t i = 0; i < c.extents()[0]; ++i) {
      for (int64_t j = 0; j < c.extents()[1]; ++j) {
        int64_t sum = add ? c.get({i, j}).i : 0;
        for (int64_t k = 0; k < a.extents()[1]; ++k) sum += a.get({i, k}).i * b.get({k, j}).i;
        c.set({i, j}, {.i = sum});
      }
    }
  };
  schedule::Externs externs;
  externs["dev.product"] = [=](ir::ExternCall& call) { product(call, false); };
  externs["dev.mma"] = [=](ir::ExternCall& call) { product(call, true); };
  externs["dev.zero"] = [](ir::ExternCall& call) {
    const ir::ExternView& c = call.view(0);
    for (int64_t i = 0; i < c.extents()[0]; ++i) {
      for (int64_t j = 0; j < c.extents()[1]; ++j) c.set({i, j}, {.i = 0});
    }
  };
  return externs;
}

// "dev.mma", 8 x 8 x 16: the formula, and how each part of it is done.
std::shared_ptr<const schedule::Intrinsic> declare_mma() {
  const auto compute = [](const Operands& o) {
    return instruction("dev.product", {o.write("C"), o.read("A"), o.read("B")});
  };
  const auto reset = [](const Operands& o) { return instruction("dev.zero", {o.write("C")}); };
  const auto update = [](const Operands& o) {
    return instruction("dev.mma", {o.update("C"), o.read("A"), o.read("B")});
  };
  return std::make_shared<const schedule::Intrinsic>(
      "dev.mma", product(8, 8, 16), schedule::Implementations{.compute = compute, .reset = reset, .update = update},
      device());
}

// The loop of one instruction, the loops over instructions in front of it.
schedule::LoopRV tile(Schedule& s) {
  const auto loops = s.get_loops(s.get_block("C"));
  const auto [i_0, i_1] = s.split_by_factor(loops[0], 8);
  const auto [j_0, j_1] = s.split_by_factor(loops[1], 8);
  const auto [k_0, k_1] = s.split_by_factor(loops[2], 16);
  s.reorder({i_0, j_0, k_0, i_1, j_1, k_1});
  return i_1;
}

void require_equal(const ir::PrimFunc& before, const ir::PrimFunc& after) {
  const examples::Tensors inputs = examples::random_tensors(before, -128, 127);
  const auto expected = examples::interpreted(before, inputs), got = examples::interpreted(after, inputs, device());
  if (const auto difference = vantage::difference(expected.at("C"), got.at("C"))) fail("C is wrong: {}", *difference);
  fmt::print("The interpreter gets the same from both.\n\n");
}

void for_a_new_target() {
  const auto mma = declare_mma();
  fmt::print("The update, as it is declared:\n{}\n", to_text(mma->update()->description()));

  const ir::PrimFunc function = product(32, 32, 64);
  Schedule s(function, {mma});
  const auto loop = tile(s);
  fmt::print("Tiled:\n{}\n", to_text(s.function()));
  s.tensorize(loop, "dev.mma");
  fmt::print("Tensorized:\n{}\n", to_text(s.function()));
  require_equal(function, s.function());

  const ir::PrimFunc shallow = product(32, 32, 16);
  Schedule whole(shallow, {mma});
  whole.tensorize(tile(whole), "dev.mma");
  fmt::print("With all of the sum in one instruction:\n{}\n", to_text(whole.function()));
  require_equal(shallow, whole.function());

  Schedule wide(product(32, 32, 64, kInt16), {mma});
  const auto wide_loop = tile(wide);
  try {
    wide.tensorize(wide_loop, "dev.mma");
  } catch (const Error& error) {
    fmt::print("Refused:\n{}\n\n", error.what());
  }
}

// 4 x 64 by 64 x 64, in tiles of the VTA's GEMM core.
int for_the_vta() {
  const auto config = isa::Config::vta_default();
  const int batch = config.batch(), block = config.block_out();
  const int64_t m = 4, n = 4, k = 4;  // in tiles
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

  Schedule s(function, vta::intrinsics(config));
  const auto gemm = s.get_block("sums");
  s.set_scope(gemm, "vta.acc");
  for (const auto& [name, scope] : {std::pair("A", "vta.inp"), {"B", "vta.wgt"}}) {
    s.pragma(s.get_loops(s.cache_read(gemm, name, scope))[0], "dma_copy");
  }
  s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
  const auto loops = s.get_loops(gemm);  // bo co bi ci ko ki
  s.reorder({loops[4], loops[0], loops[1], loops[2], loops[3], loops[5]});
  s.tensorize(loops[2], "vta.gemm");
  fmt::print("For the VTA:\n{}\n", to_text(s.function()));

  const Program program = vta::compile(s.function(), config, [](const passes::Step& step) {
    if (step.name == "place_scratchpads") fmt::print("Lowered:\n{}\n", step.text());
  });
  const examples::Tensors inputs = examples::random_tensors(function, -8, 7);
  return examples::check_and_report(program, inputs, examples::interpreted(function, inputs),
                                    "fsim:", "Successful tensorize test!");
}

}  // namespace

int main() {
  for_a_new_target();
  return for_the_vta();
}
