// What primitives make of buffers.
#include "compiler/ir/printer.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using schedule::Schedule;
using test::blur;
using test::chain;
using test::matmul_relu;

// CHECK-LABEL: == cache_read
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul_relu(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16, 16), "int32")):
// CHECK-NEXT:     Y = T.alloc_buffer((16, 16), "int32")
// CHECK-NEXT:     A_shared = T.alloc_buffer((16, 16), "int32", scope="shared")
// CHECK-NEXT:     for ax0, ax1 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("A_shared"):
// CHECK-NEXT:             v0 = T.axis.spatial(16, ax0)
// CHECK-NEXT:             v1 = T.axis.spatial(16, ax1)
// CHECK-NEXT:             T.reads(A[v0, v1])
// CHECK-NEXT:             T.writes(A_shared[v0, v1])
// CHECK-NEXT:             A_shared[v0, v1] = A[v0, v1]
// CHECK-NEXT:     for i, j, k in T.grid(16, 16, 16):
// CHECK-NEXT:         with T.block("Y"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             vj = T.axis.spatial(16, j)
// CHECK-NEXT:             vk = T.axis.reduce(16, k)
// CHECK-NEXT:             T.reads(A_shared[vi, vk], B[vk, vj])
// CHECK-NEXT:             T.writes(Y[vi, vj])
// CHECK-NEXT:             with T.init():
// CHECK-NEXT:                 Y[vi, vj] = 0
// CHECK-NEXT:             Y[vi, vj] = Y[vi, vj] + A_shared[vi, vk] * B[vk, vj]
// CHECK-NEXT:     for i_1, j_1 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_1)
// CHECK-NEXT:             vj_1 = T.axis.spatial(16, j_1)
// CHECK-NEXT:             T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:             T.writes(C[vi_1, vj_1])
// CHECK-NEXT:             C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(cache_read) {
  Schedule s(matmul_relu());
  s.cache_read(s.get_block("Y"), "A", "shared");
  return to_text(s.function());
}

// CHECK-LABEL: == cache_write
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul_relu(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16, 16), "int32")):
// CHECK-NEXT:     Y = T.alloc_buffer((16, 16), "int32")
// CHECK-NEXT:     C_local = T.alloc_buffer((16, 16), "int32", scope="local")
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
// CHECK-NEXT:     for i_1, j_1 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_1)
// CHECK-NEXT:             vj_1 = T.axis.spatial(16, j_1)
// CHECK-NEXT:             T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:             T.writes(C_local[vi_1, vj_1])
// CHECK-NEXT:             C_local[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
// CHECK-NEXT:     for ax0, ax1 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("C_local"):
// CHECK-NEXT:             v0 = T.axis.spatial(16, ax0)
// CHECK-NEXT:             v1 = T.axis.spatial(16, ax1)
// CHECK-NEXT:             T.reads(C_local[v0, v1])
// CHECK-NEXT:             T.writes(C[v0, v1])
// CHECK-NEXT:             C[v0, v1] = C_local[v0, v1]
IR_CASE(cache_write) {
  Schedule s(matmul_relu());
  s.cache_write(s.get_block("C"), "local");
  return to_text(s.function());
}

// CHECK-LABEL: == set_scope
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     B = T.alloc_buffer((16,), "int32", scope="vta.acc")
// CHECK-NEXT:     for i in range(16):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
// CHECK-NEXT:     for i_1 in range(16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_1)
// CHECK-NEXT:             T.reads(B[vi_1])
// CHECK-NEXT:             T.writes(C[vi_1])
// CHECK-NEXT:             C[vi_1] = B[vi_1] * 2
IR_CASE(set_scope) {
  Schedule s(chain());
  s.set_scope(s.get_block("B"), "vta.acc");
  return to_text(s.function());
}

// CHECK-LABEL: == storage_align
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
// CHECK-NEXT:             T.block_attr({"storage_align_axis": 0, "storage_align_factor": 32, "storage_align_offset": 1})
// CHECK-NEXT:             with T.init():
// CHECK-NEXT:                 Y[vi, vj] = 0
// CHECK-NEXT:             Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]
// CHECK-NEXT:     for i_1, j_1 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_1)
// CHECK-NEXT:             vj_1 = T.axis.spatial(16, j_1)
// CHECK-NEXT:             T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:             T.writes(C[vi_1, vj_1])
// CHECK-NEXT:             C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(storage_align) {
  Schedule s(matmul_relu());
  s.storage_align(s.get_block("Y"), 0, 32, 1);
  return to_text(s.function());
}

// CHECK-LABEL: == double_buffer
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     B = T.alloc_buffer((16,), "int32")
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         for ax0 in range(4):
// CHECK-NEXT:             with T.block("B"):
// CHECK-NEXT:                 vi = T.axis.spatial(16, i_0 * 4 + ax0)
// CHECK-NEXT:                 T.reads(A[vi])
// CHECK-NEXT:                 T.writes(B[vi])
// CHECK-NEXT:                 T.block_attr({"double_buffer": 2})
// CHECK-NEXT:                 B[vi] = A[vi] + 1
// CHECK-NEXT:         for i_1 in range(4):
// CHECK-NEXT:             with T.block("C"):
// CHECK-NEXT:                 vi_1 = T.axis.spatial(16, i_0 * 4 + i_1)
// CHECK-NEXT:                 T.reads(B[vi_1])
// CHECK-NEXT:                 T.writes(C[vi_1])
// CHECK-NEXT:                 C[vi_1] = B[vi_1] * 2
IR_CASE(double_buffer) {
  Schedule s(chain());
  const auto parts = s.split_by_factor(s.get_loops(s.get_block("C"))[0], 4);
  s.compute_at(s.get_block("B"), parts[0]);
  s.double_buffer(s.get_block("B"));
  return to_text(s.function());
}

// CHECK-LABEL: == transform_layout
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul_relu(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16, 16), "int32")):
// CHECK-NEXT:     Y = T.alloc_buffer((4, 16, 4), "int32")
// CHECK-NEXT:     for i, j, k in T.grid(16, 16, 16):
// CHECK-NEXT:         with T.block("Y"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             vj = T.axis.spatial(16, j)
// CHECK-NEXT:             vk = T.axis.reduce(16, k)
// CHECK-NEXT:             T.reads(A[vi, vk], B[vk, vj])
// CHECK-NEXT:             T.writes(Y[vj // 4, vi, vj % 4])
// CHECK-NEXT:             with T.init():
// CHECK-NEXT:                 Y[vj // 4, vi, vj % 4] = 0
// CHECK-NEXT:             Y[vj // 4, vi, vj % 4] = Y[vj // 4, vi, vj % 4] + A[vi, vk] * B[vk, vj]
// CHECK-NEXT:     for i_1, j_1 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_1)
// CHECK-NEXT:             vj_1 = T.axis.spatial(16, j_1)
// CHECK-NEXT:             T.reads(Y[vj_1 // 4, vi_1, vj_1 % 4])
// CHECK-NEXT:             T.writes(C[vi_1, vj_1])
// CHECK-NEXT:             C[vi_1, vj_1] = T.max(Y[vj_1 // 4, vi_1, vj_1 % 4], 0)
IR_CASE(transform_layout) {
  Schedule s(matmul_relu());
  s.transform_layout(s.get_block("Y"), "i, j -> j // 4, i, j % 4");
  return to_text(s.function());
}

// CHECK-LABEL: == rolling_buffer
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def blur(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     B = T.alloc_buffer((18,), "int32")
// CHECK-NEXT:     for i in range(16):
// CHECK-NEXT:         for ax0 in range(3):
// CHECK-NEXT:             with T.block("B"):
// CHECK-NEXT:                 vi = T.axis.spatial(18, i + ax0)
// CHECK-NEXT:                 T.reads(A[vi - 1])
// CHECK-NEXT:                 T.writes(B[vi])
// CHECK-NEXT:                 B[vi] = T.if_then_else(vi >= 1 and vi < 17, A[vi - 1], 0)
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(B[vi_1:vi_1 + 3])
// CHECK-NEXT:             T.writes(C[vi_1])
// CHECK-NEXT:             C[vi_1] = B[vi_1] + B[vi_1 + 1] + B[vi_1 + 2]
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def blur(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     B = T.alloc_buffer((3,), "int32")
// CHECK-NEXT:     for i in range(16):
// CHECK-NEXT:         for ax0 in range(3):
// CHECK-NEXT:             with T.block("B"):
// CHECK-NEXT:                 vi = T.axis.scan(18, i + ax0)
// CHECK-NEXT:                 T.where(i == 0 or ax0 >= 2)
// CHECK-NEXT:                 T.reads(A[vi - 1])
// CHECK-NEXT:                 T.writes(B[vi % 3])
// CHECK-NEXT:                 T.block_attr({"rolling_buffer": 3})
// CHECK-NEXT:                 B[vi % 3] = T.if_then_else(vi >= 1 and vi < 17, A[vi - 1], 0)
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.scan(16, i)
// CHECK-NEXT:             T.reads(B[T.min(T.min(vi_1 % 3, (vi_1 + 1) % 3), (vi_1 + 2) % 3):T.max(T.max(vi_1 % 3 + 1, (vi_1 + 1) % 3 + 1), (vi_1 + 2) % 3 + 1)])
// CHECK-NEXT:             T.writes(C[vi_1])
// CHECK-NEXT:             C[vi_1] = B[vi_1 % 3] + B[(vi_1 + 1) % 3] + B[(vi_1 + 2) % 3]
IR_CASE(rolling_buffer) {
  Schedule s(blur());
  const auto block = s.get_block("B");
  s.compute_at(block, s.get_loop(s.get_block("C"), "i"));
  const std::string before = to_text(s.function());
  s.rolling_buffer(block);
  return before + to_text(s.function());
}
