// What primitives make of loops.
#include "compiler/ir/printer.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using schedule::Schedule;
using test::increment;
using test::matmul_relu;

// CHECK-LABEL: == definition
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
// CHECK-NEXT:     for i_1, j_1 in T.grid(16, 16):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_1)
// CHECK-NEXT:             vj_1 = T.axis.spatial(16, j_1)
// CHECK-NEXT:             T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:             T.writes(C[vi_1, vj_1])
// CHECK-NEXT:             C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(definition) {
  return to_text(matmul_relu());
}

// CHECK-LABEL: == split
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
// CHECK-NEXT:     for i_0, i_1, i_2 in T.grid(2, 2, 3):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(12, i_0 * 6 + i_1 * 3 + i_2)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(split) {
  Schedule s(increment(12));
  s.split(s.get_loops(s.get_block("B"))[0], {2, std::nullopt, 3});
  return to_text(s.function());
}

// CHECK-LABEL: == split_with_a_guard
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((n,), "int32"), B: T.Buffer((n,), "int32")):
// CHECK-NEXT:     for i_0, i_1 in T.grid((n + 31) // 32, 32):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(n, i_0 * 32 + i_1)
// CHECK-NEXT:             T.where(i_0 * 32 + i_1 < n)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(split_with_a_guard) {
  Schedule s(increment(te::var("n")));
  s.split_by_factor(s.get_loops(s.get_block("B"))[0], 32);
  return to_text(s.function());
}

// CHECK-LABEL: == split_by_parts
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((13,), "int32"), B: T.Buffer((13,), "int32")):
// CHECK-NEXT:     for i_0, i_1 in T.grid(4, 4):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(13, i_0 * 4 + i_1)
// CHECK-NEXT:             T.where(i_0 * 4 + i_1 < 13)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(split_by_parts) {
  Schedule s(increment(13));
  s.split_by_parts(s.get_loops(s.get_block("B"))[0], 4);
  return to_text(s.function());
}

// CHECK-LABEL: == fuse
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
// CHECK-NEXT:     for i_j_fused in range(256):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_j_fused // 16)
// CHECK-NEXT:             vj_1 = T.axis.spatial(16, i_j_fused % 16)
// CHECK-NEXT:             T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:             T.writes(C[vi_1, vj_1])
// CHECK-NEXT:             C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(fuse) {
  Schedule s(matmul_relu());
  const auto loops = s.get_loops(s.get_block("C"));
  s.fuse({loops[0], loops[1]});
  return to_text(s.function());
}

// CHECK-LABEL: == reorder
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul_relu(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16, 16), "int32")):
// CHECK-NEXT:     Y = T.alloc_buffer((16, 16), "int32")
// CHECK-NEXT:     for k, j, i in T.grid(16, 16, 16):
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
// CHECK-NEXT:             T.writes(C[vi_1, vj_1])
// CHECK-NEXT:             C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(reorder) {
  Schedule s(matmul_relu());
  const auto loops = s.get_loops(s.get_block("Y"));
  s.reorder({loops[2], loops[0]});
  return to_text(s.function());
}

// CHECK-LABEL: == tile
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
// CHECK-NEXT:     for i_0, j_0, i_1, j_1 in T.grid(4, 2, 4, 8):
// CHECK-NEXT:         with T.block("C"):
// CHECK-NEXT:             vi_1 = T.axis.spatial(16, i_0 * 4 + i_1)
// CHECK-NEXT:             vj_1 = T.axis.spatial(16, j_0 * 8 + j_1)
// CHECK-NEXT:             T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:             T.writes(C[vi_1, vj_1])
// CHECK-NEXT:             C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(tile) {
  Schedule s(matmul_relu());
  const auto loops = s.get_loops(s.get_block("C"));
  s.tile(loops[0], loops[1], 4, 8);
  return to_text(s.function());
}

// CHECK-LABEL: == bind
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
// CHECK-NEXT:     for i_1 in T.thread_binding(16, thread="blockIdx.x"):
// CHECK-NEXT:         for j_1 in T.thread_binding(16, thread="threadIdx.x"):
// CHECK-NEXT:             with T.block("C"):
// CHECK-NEXT:                 vi_1 = T.axis.spatial(16, i_1)
// CHECK-NEXT:                 vj_1 = T.axis.spatial(16, j_1)
// CHECK-NEXT:                 T.reads(Y[vi_1, vj_1])
// CHECK-NEXT:                 T.writes(C[vi_1, vj_1])
// CHECK-NEXT:                 C[vi_1, vj_1] = T.max(Y[vi_1, vj_1], 0)
IR_CASE(bind) {
  Schedule s(matmul_relu());
  const auto loops = s.get_loops(s.get_block("C"));
  s.bind(loops[0], "blockIdx.x");
  s.bind(loops[1], "threadIdx.x");
  return to_text(s.function());
}

// CHECK-LABEL: == virtual_threads
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i_0 in T.vthread(2):
// CHECK-NEXT:         for i_1 in range(8):
// CHECK-NEXT:             with T.block("B"):
// CHECK-NEXT:                 vi = T.axis.spatial(16, i_0 * 8 + i_1)
// CHECK-NEXT:                 T.reads(A[vi])
// CHECK-NEXT:                 T.writes(B[vi])
// CHECK-NEXT:                 B[vi] = A[vi] + 1
IR_CASE(virtual_threads) {
  Schedule s(increment(16));
  const auto parts = s.split_by_parts(s.get_loops(s.get_block("B"))[0], 2);
  s.bind(parts[0], "vthread");
  return to_text(s.function());
}

// CHECK-LABEL: == parallel
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i in T.parallel(16):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(parallel) {
  Schedule s(increment(16));
  s.parallel(s.get_loops(s.get_block("B"))[0]);
  return to_text(s.function());
}

// CHECK-LABEL: == vectorize
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i in T.vectorized(16):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(vectorize) {
  Schedule s(increment(16));
  s.vectorize(s.get_loops(s.get_block("B"))[0]);
  return to_text(s.function());
}

// CHECK-LABEL: == unroll
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i in T.unroll(16):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(unroll) {
  Schedule s(increment(16));
  s.unroll(s.get_loops(s.get_block("B"))[0]);
  return to_text(s.function());
}
