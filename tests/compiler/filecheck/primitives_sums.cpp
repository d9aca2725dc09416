// What primitives make of paddings and sums.
#include "compiler/ir/printer.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using schedule::Schedule;
using test::blur;
using test::matmul_relu;
using test::row_sum;

// CHECK-LABEL: == decompose_padding
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def blur(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     B = T.alloc_buffer((18,), "int32")
// CHECK-NEXT:     for i in range(18):
// CHECK-NEXT:         with T.block("B_pad"):
// CHECK-NEXT:             vi = T.axis.spatial(18, i)
// CHECK-NEXT:             T.reads()
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = 0
// CHECK-NEXT:     for i_1 in range(16):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi_1 = T.axis.spatial((1, 17), i_1 + 1)
// CHECK-NEXT:             T.reads(A[vi_1 - 1])
// CHECK-NEXT:             T.writes(B[vi_1])
// CHECK-NEXT:             B[vi_1] = A[vi_1 - 1]
// CHECK-NEXT:     for i_2 in range(16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_2 = T.axis.spatial(16, i_2)
// CHECK-NEXT:             T.reads(B[vi_2:vi_2 + 3])
// CHECK-NEXT:             T.writes(C[vi_2])
// CHECK-NEXT:             C[vi_2] = B[vi_2] + B[vi_2 + 1] + B[vi_2 + 2]
IR_CASE(decompose_padding) {
  Schedule s(blur());
  const auto block = s.get_block("B");
  s.decompose_padding(block, s.get_loop(block, "i"));
  return to_text(s.function());
}

// CHECK-LABEL: == pad_einsum
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul_relu(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16, 16), "int32")):
// CHECK-NEXT:     Y = T.alloc_buffer((16, 16), "int32")
// CHECK-NEXT:     Y_pad = T.alloc_buffer((16, 20), "int32")
// CHECK-NEXT:     A_pad = T.alloc_buffer((16, 20), "int32")
// CHECK-NEXT:     B_pad = T.alloc_buffer((20, 20), "int32")
// CHECK-NEXT:     for ax0, ax1 in T.grid(16, 20):
// CHECK-NEXT:         with T.block("A_pad"):
// CHECK-NEXT:             v0 = T.axis.spatial(16, ax0)
// CHECK-NEXT:             v1 = T.axis.spatial(20, ax1)
// CHECK-NEXT:             T.reads(A[v0, v1])
// CHECK-NEXT:             T.writes(A_pad[v0, v1])
// CHECK-NEXT:             A_pad[v0, v1] = T.if_then_else(v1 < 16, A[v0, v1], 0)
// CHECK-NEXT:     for ax0_1, ax1_1 in T.grid(20, 20):
// CHECK-NEXT:         with T.block("B_pad"):
// CHECK-NEXT:             v0_1 = T.axis.spatial(20, ax0_1)
// CHECK-NEXT:             v1_1 = T.axis.spatial(20, ax1_1)
// CHECK-NEXT:             T.reads(B[v0_1, v1_1])
// CHECK-NEXT:             T.writes(B_pad[v0_1, v1_1])
// CHECK-NEXT:             B_pad[v0_1, v1_1] = T.if_then_else(v0_1 < 16 and v1_1 < 16, B[v0_1, v1_1], 0)
// CHECK-NEXT:     for i, j, k in T.grid(16, 20, 20):
// CHECK-NEXT:         with T.block("Y"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             vj = T.axis.spatial(20, j)
// CHECK-NEXT:             vk = T.axis.reduce(20, k)
// CHECK-NEXT:             T.reads(A_pad[vi, vk], B_pad[vk, vj])
// CHECK-NEXT:             T.writes(Y_pad[vi, vj])
// CHECK-NEXT:             with T.init():
// CHECK-NEXT:                 Y_pad[vi, vj] = 0
// CHECK-NEXT:             Y_pad[vi, vj] = Y_pad[vi, vj] + A_pad[vi, vk] * B_pad[vk, vj]
// CHECK-NEXT:     for ax0_2, ax1_2 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("Y_pad"):
// CHECK-NEXT:             v0_2 = T.axis.spatial(16, ax0_2)
// CHECK-NEXT:             v1_2 = T.axis.spatial(16, ax1_2)
// CHECK-NEXT:             T.reads(Y_pad[v0_2, v1_2])
// CHECK-NEXT:             T.writes(Y[v0_2, v1_2])
// CHECK-NEXT:             Y[v0_2, v1_2] = Y_pad[v0_2, v1_2]
// CHECK-NEXT:     for i_1, j_1 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_1)
// CHECK-NEXT:             vj_1 = T.axis.spatial(16, j_1)
// CHECK-NEXT:             T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:             T.writes(C[vi_1, vj_1])
// CHECK-NEXT:             C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(pad_einsum) {
  Schedule s(matmul_relu());
  s.pad_einsum(s.get_block("Y"), {1, 5, 5});
  return to_text(s.function());
}

// CHECK-LABEL: == decompose_reduction
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def row_sum(A: T.Buffer((4, 32), "int32"), B: T.Buffer((4,), "int32")):
// CHECK-NEXT:     for i in range(4):
// CHECK-NEXT:         with T.block("B_init"):
// CHECK-NEXT:             vi = T.axis.spatial(4, i)
// CHECK-NEXT:             T.reads()
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = 0
// CHECK-NEXT:         for k in range(32):
// CHECK-NEXT:             with T.block("B"):
// CHECK-NEXT:                 vi_1 = T.axis.spatial(4, i)
// CHECK-NEXT:                 vk = T.axis.reduce(32, k)
// CHECK-NEXT:                 T.reads(A[vi_1, vk])
// CHECK-NEXT:                 T.writes(B[vi_1])
// CHECK-NEXT:                 B[vi_1] = B[vi_1] + A[vi_1, vk]
IR_CASE(decompose_reduction) {
  Schedule s(row_sum());
  s.decompose_reduction(s.get_block("B"), s.get_loops(s.get_block("B"))[1]);
  return to_text(s.function());
}

// CHECK-LABEL: == rfactor
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def row_sum(A: T.Buffer((4, 32), "int32"), B: T.Buffer((4,), "int32")):
// CHECK-NEXT:     B_rf = T.alloc_buffer((4, 8), "int32")
// CHECK-NEXT:     for i, k_0, k_1 in T.grid(4, 4, 8):
// CHECK-NEXT:         with T.block("B_rf"):
// CHECK-NEXT:             vi = T.axis.spatial(4, i)
// CHECK-NEXT:             vk_1 = T.axis.spatial(8, k_1)
// CHECK-NEXT:             vk_0 = T.axis.reduce(4, k_0)
// CHECK-NEXT:             T.reads(A[vi, vk_0 * 8 + vk_1])
// CHECK-NEXT:             T.writes(B_rf[vi, vk_1])
// CHECK-NEXT:             with T.init():
// CHECK-NEXT:                 B_rf[vi, vk_1] = 0
// CHECK-NEXT:             B_rf[vi, vk_1] = B_rf[vi, vk_1] + A[vi, vk_0 * 8 + vk_1]
// CHECK-NEXT:     for ax0, k_1_1 in T.grid(4, 8):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(4, ax0)
// CHECK-NEXT:             vk_1_1 = T.axis.reduce(8, k_1_1)
// CHECK-NEXT:             T.reads(B_rf[vi_1, vk_1_1])
// CHECK-NEXT:             T.writes(B[vi_1])
// CHECK-NEXT:             with T.init():
// CHECK-NEXT:                 B[vi_1] = 0
// CHECK-NEXT:             B[vi_1] = B[vi_1] + B_rf[vi_1, vk_1_1]
IR_CASE(rfactor) {
  Schedule s(row_sum());
  const auto parts = s.split_by_factor(s.get_loops(s.get_block("B"))[1], 8);
  s.rfactor(parts[1], 1);
  return to_text(s.function());
}
