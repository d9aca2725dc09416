// Where primitives put blocks.
#include "compiler/ir/printer.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using schedule::Schedule;
using test::chain;
using test::matmul_relu;

// CHECK-LABEL: == compute_at
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     B = T.alloc_buffer((16,), "int32")
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         for ax0 in range(4):
// CHECK-NEXT:             with T.block("B"):
// CHECK-NEXT:                 vi = T.axis.spatial(16, i_0 * 4 + ax0)
// CHECK-NEXT:                 T.reads(A[vi])
// CHECK-NEXT:                 T.writes(B[vi])
// CHECK-NEXT:                 B[vi] = A[vi] + 1
// CHECK-NEXT:         for i_1 in range(4):
// CHECK-NEXT:             with T.block("C"):
// CHECK-NEXT:                 vi_1 = T.axis.spatial(16, i_0 * 4 + i_1)
// CHECK-NEXT:                 T.reads(B[vi_1])
// CHECK-NEXT:                 T.writes(C[vi_1])
// CHECK-NEXT:                 C[vi_1] = B[vi_1] * 2
IR_CASE(compute_at) {
  Schedule s(chain());
  const auto parts = s.split_by_factor(s.get_loops(s.get_block("C"))[0], 4);
  s.compute_at(s.get_block("B"), parts[0]);
  return to_text(s.function());
}

// CHECK-LABEL: == reverse_compute_at
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul_relu(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16, 16), "int32")):
// CHECK-NEXT:     Y = T.alloc_buffer((16, 16), "int32")
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         for i_1, j, k in T.grid(4, 16, 16):
// CHECK-NEXT:             with T.block("Y"):
// CHECK-NEXT:                 vi = T.axis.spatial(16, i_0 * 4 + i_1)
// CHECK-NEXT:                 vj = T.axis.spatial(16, j)
// CHECK-NEXT:                 vk = T.axis.reduce(16, k)
// CHECK-NEXT:                 T.reads(A[vi, vk], B[vk, vj])
// CHECK-NEXT:                 T.writes(Y[vi, vj])
// CHECK-NEXT:                 with T.init():
// CHECK-NEXT:                     Y[vi, vj] = 0
// CHECK-NEXT:                 Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]
// CHECK-NEXT:         for ax0, ax1 in T.grid(4, 16):
// CHECK-NEXT:             with T.block("C"):
// CHECK-NEXT:                 vi_1 = T.axis.spatial(16, i_0 * 4 + ax0)
// CHECK-NEXT:                 vj_1 = T.axis.spatial(16, ax1)
// CHECK-NEXT:                 T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:                 T.writes(C[vi_1, vj_1])
// CHECK-NEXT:                 C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(reverse_compute_at) {
  Schedule s(matmul_relu());
  const auto loops = s.get_loops(s.get_block("Y"));
  const auto parts = s.split_by_factor(loops[0], 4);
  s.reverse_compute_at(s.get_block("C"), parts[0]);
  return to_text(s.function());
}

// CHECK-LABEL: == compute_inline
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i in range(16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(C[vi])
// CHECK-NEXT:             C[vi] = (A[vi] + 1) * 2
IR_CASE(compute_inline) {
  Schedule s(chain());
  s.compute_inline(s.get_block("B"));
  return to_text(s.function());
}

// CHECK-LABEL: == reverse_compute_inline
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i in range(16):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(C[vi])
// CHECK-NEXT:             C[vi] = (A[vi] + 1) * 2
IR_CASE(reverse_compute_inline) {
  Schedule s(chain());
  s.reverse_compute_inline(s.get_block("C"));
  return to_text(s.function());
}
