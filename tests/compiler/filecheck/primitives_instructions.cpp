// What primitives make of nests that an instruction does.
#include "compiler/ir/printer.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using schedule::Schedule;
using test::matmul_relu;
using test::row_sum;

// C = the sum of eight elements of A: from nothing, or the initial value and what is added to it.
static schedule::Intrinsics sum8(bool whole) {
  using schedule::instruction;
  using schedule::Operands;
  const te::Tensor a = te::placeholder({8}, te::kInt32, "A");
  const te::ReduceAxis k = te::reduce_axis(8, "k");
  const te::Tensor c = te::compute(
      {1}, [&](const te::Expr&) { return te::sum(a(k), {k}); }, "C");
  const auto clear = [](const Operands& o) { return instruction("dev.clear", {o.write("C")}); };
  const auto add = [](const Operands& o) { return instruction("dev.add8", {o.update("C"), o.read("A")}); };
  const auto sum = [](const Operands& o) { return instruction("dev.sum8", {o.write("C"), o.read("A")}); };
  schedule::Externs device;
  const auto total = [](const ir::ExternView& view) {
    int64_t result = 0;
    for (int64_t i = 0; i < 8; ++i) result += view.get({i}).i;
    return result;
  };
  device["dev.clear"] = [](ir::ExternCall& call) { call.view(0).set({0}, {.i = 0}); };
  device["dev.add8"] = [=](ir::ExternCall& call) {
    call.view(0).set({0}, {.i = call.view(0).get({0}).i + total(call.view(1))});
  };
  device["dev.sum8"] = [=](ir::ExternCall& call) { call.view(0).set({0}, {.i = total(call.view(1))}); };
  const schedule::Implementations parts =
      whole ? schedule::Implementations{.compute = sum} : schedule::Implementations{.reset = clear, .update = add};
  return {std::make_shared<const schedule::Intrinsic>("dev.sum8", te::create_prim_func({a, c}), parts, device)};
}

// CHECK-LABEL: == blockize
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul_relu(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16, 16), "int32")):
// CHECK-NEXT:     Y = T.alloc_buffer((16, 16), "int32")
// CHECK-NEXT:     for i, j, k in T.grid(16, 16, 16):
// CHECK-NEXT:         with T.block("Y"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             vj = T.axis.spatial(16, j)
// CHECK-NEXT:             vk = T.axis.reduce(16, k)
// CHECK-NEXT:             T.reads(A[vi, vk], B[vk, vj])
// CHECK-NEXT:             T.writes(Y[vi, vj])
// CHECK-NEXT:             with T.init():
// CHECK-NEXT:                 Y[vi, vj] = 0
// CHECK-NEXT:             Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]
// CHECK-NEXT:     for i_0, j_0 in T.grid(4, 4):
// CHECK-NEXT:         with T.block("C_o"):
// CHECK-NEXT:             vi_o = T.axis.spatial(4, i_0)
// CHECK-NEXT:             vj_o = T.axis.spatial(4, j_0)
// CHECK-NEXT:             T.reads(Y[vi_o * 4:vi_o * 4 + 4, vj_o * 4:vj_o * 4 + 4])
// CHECK-NEXT:             T.writes(C[vi_o * 4:vi_o * 4 + 4, vj_o * 4:vj_o * 4 + 4])
// CHECK-NEXT:             for i_1, j_1 in T.grid(4, 4):
// CHECK-NEXT:                 with T.block("C"):
// CHECK-NEXT:                     vi_1 = T.axis.spatial(16, vi_o * 4 + i_1)
// CHECK-NEXT:                     vj_1 = T.axis.spatial(16, vj_o * 4 + j_1)
// CHECK-NEXT:                     T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:                     T.writes(C[vi_1, vj_1])
// CHECK-NEXT:                     C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(blockize) {
  Schedule s(matmul_relu());
  const auto loops = s.get_loops(s.get_block("C"));
  const auto parts = s.tile(loops[0], loops[1], 4, 4);
  s.blockize(parts[2]);
  return to_text(s.function());
}

// CHECK-LABEL: == tensorize
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((1, 4, 1, 16), "int8"), B: T.Buffer((4, 4, 16, 16), "int8"), C: T.Buffer((1, 4, 1, 16), "int8")):
// CHECK-NEXT:     sums = T.alloc_buffer((1, 4, 1, 16), "int32", scope="vta.acc")
// CHECK-NEXT:     shifted = T.alloc_buffer((1, 4, 1, 16), "int32")
// CHECK-NEXT:     A_inp = T.alloc_buffer((1, 4, 1, 16), "int8", scope="vta.inp")
// CHECK-NEXT:     B_wgt = T.alloc_buffer((4, 4, 16, 16), "int8", scope="vta.wgt")
// CHECK-NEXT:     for ax0, ax1, ax2, ax3 in T.grid(1, 4, 1, 16):
// CHECK-NEXT:         with T.block("A_inp"):
// CHECK-NEXT:             v0 = T.axis.spatial(1, ax0)
// CHECK-NEXT:             v1 = T.axis.spatial(4, ax1)
// CHECK-NEXT:             v2 = T.axis.spatial(1, ax2)
// CHECK-NEXT:             v3 = T.axis.spatial(16, ax3)
// CHECK-NEXT:             T.reads(A[v0, v1, v2, v3])
// CHECK-NEXT:             T.writes(A_inp[v0, v1, v2, v3])
// CHECK-NEXT:             A_inp[v0, v1, v2, v3] = A[v0, v1, v2, v3]
// CHECK-NEXT:     for ax0_1, ax1_1, ax2_1, ax3_1 in T.grid(4, 4, 16, 16):
// CHECK-NEXT:         with T.block("B_wgt"):
// CHECK-NEXT:             v0_1 = T.axis.spatial(4, ax0_1)
// CHECK-NEXT:             v1_1 = T.axis.spatial(4, ax1_1)
// CHECK-NEXT:             v2_1 = T.axis.spatial(16, ax2_1)
// CHECK-NEXT:             v3_1 = T.axis.spatial(16, ax3_1)
// CHECK-NEXT:             T.reads(B[v0_1, v1_1, v2_1, v3_1])
// CHECK-NEXT:             T.writes(B_wgt[v0_1, v1_1, v2_1, v3_1])
// CHECK-NEXT:             B_wgt[v0_1, v1_1, v2_1, v3_1] = B[v0_1, v1_1, v2_1, v3_1]
// CHECK-NEXT:     for i, j in T.grid(1, 4):
// CHECK-NEXT:         for k, l in T.grid(1, 16):
// CHECK-NEXT:             with T.block("sums_init"):
// CHECK-NEXT:                 vi = T.axis.spatial(1, i)
// CHECK-NEXT:                 vj = T.axis.spatial(4, j)
// CHECK-NEXT:                 vk = T.axis.spatial(1, k)
// CHECK-NEXT:                 vl = T.axis.spatial(16, l)
// CHECK-NEXT:                 T.reads()
// CHECK-NEXT:                 T.writes(sums[vi, vj, vk, vl])
// CHECK-NEXT:                 sums[vi, vj, vk, vl] = 0
// CHECK-NEXT:         for ko in range(4):
// CHECK-NEXT:             with T.block("sums_o"):
// CHECK-NEXT:                 vi_o = T.axis.spatial(1, i)
// CHECK-NEXT:                 vj_o = T.axis.spatial(4, j)
// CHECK-NEXT:                 vko_o = T.axis.reduce(4, ko)
// CHECK-NEXT:                 T.reads(A_inp[vi_o, vko_o, 0, 0:16], B_wgt[vj_o, vko_o, 0:16, 0:16])
// CHECK-NEXT:                 T.writes(sums[vi_o, vj_o, 0, 0:16])
// CHECK-NEXT:                 T.block_attr({"tensor_intrinsic": "vta.gemm"})
// CHECK-NEXT:                 T.vta.gemm(sums[vi_o, vj_o, 0, 0:16], A_inp[vi_o, vko_o, 0, 0:16], B_wgt[vj_o, vko_o, 0:16, 0:16])
// CHECK-NEXT:     for i_1, j_1, k_1, l_1 in T.grid(1, 4, 1, 16):
// CHECK-NEXT:         with T.block("shifted"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(1, i_1)
// CHECK-NEXT:             vj_1 = T.axis.spatial(4, j_1)
// CHECK-NEXT:             vk_1 = T.axis.spatial(1, k_1)
// CHECK-NEXT:             vl_1 = T.axis.spatial(16, l_1)
// CHECK-NEXT:             T.reads(sums[vi_1, vj_1, vk_1, vl_1])
// CHECK-NEXT:             T.writes(shifted[vi_1, vj_1, vk_1, vl_1])
// CHECK-NEXT:             shifted[vi_1, vj_1, vk_1, vl_1] = sums[vi_1, vj_1, vk_1, vl_1] >> 8
// CHECK-NEXT:     for i_2, j_2, k_2, l_2 in T.grid(1, 4, 1, 16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_2 = T.axis.spatial(1, i_2)
// CHECK-NEXT:             vj_2 = T.axis.spatial(4, j_2)
// CHECK-NEXT:             vk_2 = T.axis.spatial(1, k_2)
// CHECK-NEXT:             vl_2 = T.axis.spatial(16, l_2)
// CHECK-NEXT:             T.reads(shifted[vi_2, vj_2, vk_2, vl_2])
// CHECK-NEXT:             T.writes(C[vi_2, vj_2, vk_2, vl_2])
// CHECK-NEXT:             C[vi_2, vj_2, vk_2, vl_2] = T.Cast("int8", shifted[vi_2, vj_2, vk_2, vl_2])
IR_CASE(tensorize) {
  const auto config = isa::Config::vta_default();
  Schedule s(test::tiled_matmul(config), vta::intrinsics(config));
  const auto sums = s.get_block("sums");
  s.set_scope(sums, "vta.acc");
  s.cache_read(sums, "A", "vta.inp");
  s.cache_read(sums, "B", "vta.wgt");
  const auto loops = s.get_loops(sums);  // bo co bi ci ko ki
  s.reorder({loops[4], loops[2], loops[3], loops[5]});
  s.decompose_reduction(sums, loops[4]);
  s.tensorize(loops[2], "vta.gemm");
  return to_text(s.function());
}

// CHECK-LABEL: == tensorize_of_a_part_of_a_sum
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def row_sum(A: T.Buffer((4, 32), "int32"), B: T.Buffer((4,), "int32")):
// CHECK-NEXT:     for i, k_0, k_1 in T.grid(4, 4, 8):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(4, i)
// CHECK-NEXT:             vk = T.axis.reduce(32, k_0 * 8 + k_1)
// CHECK-NEXT:             T.reads(A[vi, vk])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             with T.init():
// CHECK-NEXT:                 B[vi] = 0
// CHECK-NEXT:             B[vi] = B[vi] + A[vi, vk]
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def row_sum(A: T.Buffer((4, 32), "int32"), B: T.Buffer((4,), "int32")):
// CHECK-NEXT:     for i in range(4):
// CHECK-NEXT:         with T.block("B_init_o"):
// CHECK-NEXT:             vi_o = T.axis.spatial(4, i)
// CHECK-NEXT:             T.reads()
// CHECK-NEXT:             T.writes(B[vi_o])
// CHECK-NEXT:             T.block_attr({"tensor_intrinsic": "dev.sum8"})
// CHECK-NEXT:             T.dev.clear(B[vi_o])
// CHECK-NEXT:         for k_0 in range(4):
// CHECK-NEXT:             with T.block("B_o"):
// CHECK-NEXT:                 vi_o_1 = T.axis.spatial(4, i)
// CHECK-NEXT:                 vk_o = T.axis.reduce(4, k_0)
// CHECK-NEXT:                 T.reads(A[vi_o_1, vk_o * 8:vk_o * 8 + 8])
// CHECK-NEXT:                 T.writes(B[vi_o_1])
// CHECK-NEXT:                 T.block_attr({"tensor_intrinsic": "dev.sum8"})
// CHECK-NEXT:                 T.dev.add8(B[vi_o_1], A[vi_o_1, vk_o * 8:vk_o * 8 + 8])
IR_CASE(tensorize_of_a_part_of_a_sum) {
  Schedule s(row_sum(), sum8(false));
  const auto parts = s.split_by_factor(s.get_loops(s.get_block("B"))[1], 8);
  const std::string before = to_text(s.function());
  s.tensorize(parts[1], "dev.sum8");
  return before + to_text(s.function());
}

// CHECK-LABEL: == tensorize_of_all_of_a_sum
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def row_sum(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4,), "int32")):
// CHECK-NEXT:     for i in range(4):
// CHECK-NEXT:         with T.block("B_o"):
// CHECK-NEXT:             vi_o = T.axis.spatial(4, i)
// CHECK-NEXT:             T.reads(A[vi_o, 0:8])
// CHECK-NEXT:             T.writes(B[vi_o])
// CHECK-NEXT:             T.block_attr({"tensor_intrinsic": "dev.sum8"})
// CHECK-NEXT:             T.dev.sum8(B[vi_o], A[vi_o, 0:8])
IR_CASE(tensorize_of_all_of_a_sum) {
  Schedule s(row_sum(4, 8), sum8(true));
  s.tensorize(s.get_loops(s.get_block("B"))[1], "dev.sum8");
  return to_text(s.function());
}
