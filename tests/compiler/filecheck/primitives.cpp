// What every schedule primitive makes of a small function.
#include "compiler/ir/printer.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using schedule::Schedule;
using test::blur;
using test::chain;
using test::increment;
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
// CHECK-NEXT:                 T.block_attr({"double_buffer": 1})
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

// CHECK-LABEL: == pragma
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i in T.serial(16, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(pragma) {
  Schedule s(increment(16));
  s.pragma(s.get_loops(s.get_block("B"))[0], "dma_copy");
  return to_text(s.function());
}

// CHECK-LABEL: == annotate
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i in T.serial(16, annotations={"user.factor": 4}):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(16, i)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             T.block_attr({"user.note": "a text"})
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(annotate) {
  Schedule s(increment(16));
  s.annotate(s.get_block("B"), "user.note", "a text");
  s.annotate(s.get_loops(s.get_block("B"))[0], "user.factor", 4);
  return to_text(s.function());
}

// CHECK-LABEL: == sample_perfect_tile
// CHECK-NEXT: const auto b0 = sch.get_block("B");
// CHECK-NEXT: const auto l0 = sch.get_loop(b0, "i");
// CHECK-NEXT: const auto n0 = sch.sample_perfect_tile(l0, 2, 16, {24, 4});
// CHECK-NEXT: const auto l1 = sch.split(l0, {n0[0], n0[1]});
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((96,), "int32"), B: T.Buffer((96,), "int32")):
// CHECK-NEXT:     for i_0, i_1 in T.grid(24, 4):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(96, i_0 * 4 + i_1)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(sample_perfect_tile) {
  Schedule s(increment(96), {}, 3);
  const auto i = s.get_loop(s.get_block("B"), "i");
  const auto parts = s.sample_perfect_tile(i, 2, 16);
  s.split(i, {parts[0], parts[1]});
  return to_cpp(s.trace()) + to_text(s.function());
}

// CHECK-LABEL: == sample_categorical
// CHECK-NEXT: const auto n0 = sch.sample_categorical({4, 8, 16}, {0.25, 0.25, 0.5}, 2);
// CHECK-NEXT: const auto b0 = sch.get_block("B");
// CHECK-NEXT: const auto l0 = sch.get_loop(b0, "i");
// CHECK-NEXT: const auto l1 = sch.split(l0, {std::nullopt, n0});
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((96,), "int32"), B: T.Buffer((96,), "int32")):
// CHECK-NEXT:     for i_0, i_1 in T.grid(6, 16):
// CHECK-NEXT:         with T.block("B"):
// CHECK-NEXT:             vi = T.axis.spatial(96, i_0 * 16 + i_1)
// CHECK-NEXT:             T.reads(A[vi])
// CHECK-NEXT:             T.writes(B[vi])
// CHECK-NEXT:             B[vi] = A[vi] + 1
IR_CASE(sample_categorical) {
  Schedule s(increment(96), {}, 3);
  const auto factor = s.sample_categorical({4, 8, 16}, {0.25, 0.25, 0.5});
  s.split(s.get_loop(s.get_block("B"), "i"), {std::nullopt, factor});
  return to_cpp(s.trace()) + to_text(s.function());
}

// CHECK-LABEL: == trace_as_cpp
// CHECK-NEXT: const auto b0 = sch.get_block("Y");
// CHECK-NEXT: const auto l0 = sch.get_loop(b0, "i");
// CHECK-NEXT: const auto l1 = sch.split(l0, {std::nullopt, 4});
// CHECK-NEXT: const auto l2 = sch.get_loop(b0, "j");
// CHECK-NEXT: sch.reorder({l1[0], l2, l1[1]});
// CHECK-NEXT: sch.annotate(l1[0], "user.note", "a text");
IR_CASE(trace_as_cpp) {
  Schedule s(matmul_relu());
  const auto block = s.get_block("Y");
  const auto parts = s.split(s.get_loop(block, "i"), {std::nullopt, 4});
  s.reorder({parts[0], s.get_loop(block, "j"), parts[1]});
  s.annotate(parts[0], "user.note", "a text");
  return to_cpp(s.trace());
}
