// What the passes for GPUs make of a matrix multiply whose threads fetch together and do the work of two virtual
// threads each.
#include "compiler/backend/cuda/lower.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;

namespace {

ir::PrimFunc scheduled() {
  const te::Tensor a = te::placeholder({8, 16}, ir::kFloat32, "A"), b = te::placeholder({16, 8}, ir::kFloat32, "B");
  const te::ReduceAxis k = te::reduce_axis(16, "k");
  const te::Tensor c = te::compute(
      {8, 8}, [&](const ir::Expr& i, const ir::Expr& j) { return te::sum(a(i, k) * b(k, j), {k}); }, "C");
  schedule::Schedule s(te::create_prim_func({a, b, c}, "matmul"));
  const auto block = s.get_block("C");
  const auto loops = s.get_loops(block);
  const auto i = s.split(loops[0], {std::nullopt, 4}), j = s.split(loops[1], {2, 4}),
             k_parts = s.split(loops[2], {4, 4});
  s.reorder({i[0], j[0], i[1], j[1], k_parts[0], k_parts[1]});
  s.bind(i[0], "blockIdx.x");
  s.bind(j[0], "vthread");
  s.bind(i[1], "threadIdx.y");
  s.bind(j[1], "threadIdx.x");
  s.reverse_compute_at(s.cache_write(block, "local"), j[1]);
  for (const char* name : {"A", "B"}) {
    const auto fetched = s.cache_read(block, name, "shared");
    s.compute_at(fetched, k_parts[0]);
    const auto own = s.get_loops(fetched);
    const auto parts = s.split(s.fuse({own[own.size() - 2], own.back()}), {std::nullopt, 4, 4});
    s.bind(parts[1], "threadIdx.y");
    s.bind(parts[2], "threadIdx.x");
  }
  return s.function();
}

std::string after(std::string_view name) {
  std::string text = "there is no such step";
  cuda::lower(scheduled(), [&](const passes::Step& step) {
    if (step.name == name) text = step.text();
  });
  return text;
}

}  // namespace

// CHECK-LABEL: == lower_blocks
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((8, 16), "float32"), B: T.Buffer((16, 8), "float32"), C: T.Buffer((8, 8), "float32")):
// CHECK-NEXT:     for i_0 in T.thread_binding(2, thread="blockIdx.x"):
// CHECK-NEXT:         for j_0 in T.vthread(2):
// CHECK-NEXT:             for i_1 in T.thread_binding(4, thread="threadIdx.y"):
// CHECK-NEXT:                 for j_1 in T.thread_binding(4, thread="threadIdx.x"):
// CHECK-NEXT:                     C_local = T.allocate((1, 1), "float32", scope="local")
// CHECK-NEXT:                     for k_0 in range(4):
// CHECK-NEXT:                         B_shared = T.allocate((4, 8), "float32", scope="shared")
// CHECK-NEXT:                         A_shared = T.allocate((4, 4), "float32", scope="shared")
// CHECK-NEXT:                         for ax0_ax1_fused_0 in range(1):
// CHECK-NEXT:                             for ax0_ax1_fused_1 in T.thread_binding(4, thread="threadIdx.y"):
// CHECK-NEXT:                                 for ax0_ax1_fused_2 in T.thread_binding(4, thread="threadIdx.x"):
// CHECK-NEXT:                                     A_shared[i_0 * 4 + ax0_ax1_fused_0 * 4 + ax0_ax1_fused_1 - i_0 * 4, k_0 * 4 + ax0_ax1_fused_2 - k_0 * 4] = A[i_0 * 4 + ax0_ax1_fused_0 * 4 + ax0_ax1_fused_1, k_0 * 4 + ax0_ax1_fused_2]
// CHECK-NEXT:                         for ax0_ax1_fused_0_1 in range(2):
// CHECK-NEXT:                             for ax0_ax1_fused_1_1 in T.thread_binding(4, thread="threadIdx.y"):
// CHECK-NEXT:                                 for ax0_ax1_fused_2_1 in T.thread_binding(4, thread="threadIdx.x"):
// CHECK-NEXT:                                     B_shared[k_0 * 4 + ax0_ax1_fused_1_1 // 2 + ax0_ax1_fused_0_1 * 2 - k_0 * 4, ax0_ax1_fused_2_1 + ax0_ax1_fused_1_1 % 2 * 4] = B[k_0 * 4 + ax0_ax1_fused_1_1 // 2 + ax0_ax1_fused_0_1 * 2, ax0_ax1_fused_2_1 + ax0_ax1_fused_1_1 % 2 * 4]
// CHECK-NEXT:                         for k_1 in range(4):
// CHECK-NEXT:                             if k_0 * 4 + k_1 == 0:
// CHECK-NEXT:                                 C_local[0, 0] = T.float32(0)
// CHECK-NEXT:                             C_local[0, 0] = C_local[0, 0] + A_shared[i_0 * 4 + i_1 - i_0 * 4, k_0 * 4 + k_1 - k_0 * 4] * B_shared[k_0 * 4 + k_1 - k_0 * 4, j_0 * 4 + j_1]
// CHECK-NEXT:                     for ax0, ax1 in T.grid(1, 1):
// CHECK-NEXT:                         C[i_0 * 4 + i_1 + ax0, j_0 * 4 + j_1 + ax1] = C_local[i_0 * 4 + i_1 + ax0 - (i_0 * 4 + i_1), j_0 * 4 + j_1 + ax1 - (j_0 * 4 + j_1)]
IR_CASE(lower_blocks) {
  return after("lower_blocks");
}

// CHECK-LABEL: == interleave_virtual_threads
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((8, 16), "float32"), B: T.Buffer((16, 8), "float32"), C: T.Buffer((8, 8), "float32")):
// CHECK-NEXT:     for i_0 in T.thread_binding(2, thread="blockIdx.x"):
// CHECK-NEXT:         for i_1 in T.thread_binding(4, thread="threadIdx.y"):
// CHECK-NEXT:             for j_1 in T.thread_binding(4, thread="threadIdx.x"):
// CHECK-NEXT:                 C_local = T.allocate((2, 1, 1), "float32", scope="local")
// CHECK-NEXT:                 for k_0 in range(4):
// CHECK-NEXT:                     B_shared = T.allocate((4, 8), "float32", scope="shared")
// CHECK-NEXT:                     A_shared = T.allocate((4, 4), "float32", scope="shared")
// CHECK-NEXT:                     for ax0_ax1_fused_0 in range(1):
// CHECK-NEXT:                         for ax0_ax1_fused_1 in T.thread_binding(4, thread="threadIdx.y"):
// CHECK-NEXT:                             for ax0_ax1_fused_2 in T.thread_binding(4, thread="threadIdx.x"):
// CHECK-NEXT:                                 A_shared[i_0 * 4 + ax0_ax1_fused_0 * 4 + ax0_ax1_fused_1 - i_0 * 4, k_0 * 4 + ax0_ax1_fused_2 - k_0 * 4] = A[i_0 * 4 + ax0_ax1_fused_0 * 4 + ax0_ax1_fused_1, k_0 * 4 + ax0_ax1_fused_2]
// CHECK-NEXT:                     for ax0_ax1_fused_0_1 in range(2):
// CHECK-NEXT:                         for ax0_ax1_fused_1_1 in T.thread_binding(4, thread="threadIdx.y"):
// CHECK-NEXT:                             for ax0_ax1_fused_2_1 in T.thread_binding(4, thread="threadIdx.x"):
// CHECK-NEXT:                                 B_shared[k_0 * 4 + ax0_ax1_fused_1_1 // 2 + ax0_ax1_fused_0_1 * 2 - k_0 * 4, ax0_ax1_fused_2_1 + ax0_ax1_fused_1_1 % 2 * 4] = B[k_0 * 4 + ax0_ax1_fused_1_1 // 2 + ax0_ax1_fused_0_1 * 2, ax0_ax1_fused_2_1 + ax0_ax1_fused_1_1 % 2 * 4]
// CHECK-NEXT:                     for k_1 in range(4):
// CHECK-NEXT:                         if k_0 * 4 + k_1 == 0:
// CHECK-NEXT:                             for j_0 in T.unroll(2):
// CHECK-NEXT:                                 C_local[j_0, 0, 0] = T.float32(0)
// CHECK-NEXT:                         for j_0_1 in T.unroll(2):
// CHECK-NEXT:                             C_local[j_0_1, 0, 0] = C_local[j_0_1, 0, 0] + A_shared[i_0 * 4 + i_1 - i_0 * 4, k_0 * 4 + k_1 - k_0 * 4] * B_shared[k_0 * 4 + k_1 - k_0 * 4, j_0_1 * 4 + j_1]
// CHECK-NEXT:                 for ax0, ax1 in T.grid(1, 1):
// CHECK-NEXT:                     for j_0_2 in T.unroll(2):
// CHECK-NEXT:                         C[i_0 * 4 + i_1 + ax0, j_0_2 * 4 + j_1 + ax1] = C_local[j_0_2, i_0 * 4 + i_1 + ax0 - (i_0 * 4 + i_1), j_0_2 * 4 + j_1 + ax1 - (j_0_2 * 4 + j_1)]
IR_CASE(interleave_virtual_threads) {
  return after("interleave_virtual_threads");
}

// CHECK-LABEL: == merge_thread_loops
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((8, 16), "float32"), B: T.Buffer((16, 8), "float32"), C: T.Buffer((8, 8), "float32")):
// CHECK-NEXT:     for i_0 in T.thread_binding(2, thread="blockIdx.x"):
// CHECK-NEXT:         for i_1 in T.thread_binding(4, thread="threadIdx.y"):
// CHECK-NEXT:             for j_1 in T.thread_binding(4, thread="threadIdx.x"):
// CHECK-NEXT:                 C_local = T.allocate((2, 1, 1), "float32", scope="local")
// CHECK-NEXT:                 for k_0 in range(4):
// CHECK-NEXT:                     B_shared = T.allocate((4, 8), "float32", scope="shared")
// CHECK-NEXT:                     A_shared = T.allocate((4, 4), "float32", scope="shared")
// CHECK-NEXT:                     for ax0_ax1_fused_0 in range(1):
// CHECK-NEXT:                         A_shared[i_0 * 4 + ax0_ax1_fused_0 * 4 + i_1 - i_0 * 4, k_0 * 4 + j_1 - k_0 * 4] = A[i_0 * 4 + ax0_ax1_fused_0 * 4 + i_1, k_0 * 4 + j_1]
// CHECK-NEXT:                     for ax0_ax1_fused_0_1 in range(2):
// CHECK-NEXT:                         B_shared[k_0 * 4 + i_1 // 2 + ax0_ax1_fused_0_1 * 2 - k_0 * 4, j_1 + i_1 % 2 * 4] = B[k_0 * 4 + i_1 // 2 + ax0_ax1_fused_0_1 * 2, j_1 + i_1 % 2 * 4]
// CHECK-NEXT:                     for k_1 in range(4):
// CHECK-NEXT:                         if k_0 * 4 + k_1 == 0:
// CHECK-NEXT:                             for j_0 in T.unroll(2):
// CHECK-NEXT:                                 C_local[j_0, 0, 0] = T.float32(0)
// CHECK-NEXT:                         for j_0_1 in T.unroll(2):
// CHECK-NEXT:                             C_local[j_0_1, 0, 0] = C_local[j_0_1, 0, 0] + A_shared[i_0 * 4 + i_1 - i_0 * 4, k_0 * 4 + k_1 - k_0 * 4] * B_shared[k_0 * 4 + k_1 - k_0 * 4, j_0_1 * 4 + j_1]
// CHECK-NEXT:                 for ax0, ax1 in T.grid(1, 1):
// CHECK-NEXT:                     for j_0_2 in T.unroll(2):
// CHECK-NEXT:                         C[i_0 * 4 + i_1 + ax0, j_0_2 * 4 + j_1 + ax1] = C_local[j_0_2, i_0 * 4 + i_1 + ax0 - (i_0 * 4 + i_1), j_0_2 * 4 + j_1 + ax1 - (j_0_2 * 4 + j_1)]
IR_CASE(merge_thread_loops) {
  return after("merge_thread_loops");
}

// CHECK-LABEL: == insert_barriers
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((8, 16), "float32"), B: T.Buffer((16, 8), "float32"), C: T.Buffer((8, 8), "float32")):
// CHECK-NEXT:     for i_0 in T.thread_binding(2, thread="blockIdx.x"):
// CHECK-NEXT:         for i_1 in T.thread_binding(4, thread="threadIdx.y"):
// CHECK-NEXT:             for j_1 in T.thread_binding(4, thread="threadIdx.x"):
// CHECK-NEXT:                 C_local = T.allocate((2, 1, 1), "float32", scope="local")
// CHECK-NEXT:                 for k_0 in range(4):
// CHECK-NEXT:                     T.storage_sync("shared")
// CHECK-NEXT:                     B_shared = T.allocate((4, 8), "float32", scope="shared")
// CHECK-NEXT:                     A_shared = T.allocate((4, 4), "float32", scope="shared")
// CHECK-NEXT:                     A_shared[i_1, j_1] = A[i_0 * 4 + i_1, k_0 * 4 + j_1]
// CHECK-NEXT:                     for ax0_ax1_fused_0 in range(2):
// CHECK-NEXT:                         B_shared[i_1 // 2 + ax0_ax1_fused_0 * 2, j_1 + i_1 % 2 * 4] = B[k_0 * 4 + i_1 // 2 + ax0_ax1_fused_0 * 2, j_1 + i_1 % 2 * 4]
// CHECK-NEXT:                     T.storage_sync("shared")
// CHECK-NEXT:                     for k_1 in range(4):
// CHECK-NEXT:                         if k_0 * 4 + k_1 == 0:
// CHECK-NEXT:                             for j_0 in T.unroll(2):
// CHECK-NEXT:                                 C_local[j_0, 0, 0] = T.float32(0)
// CHECK-NEXT:                         for j_0_1 in T.unroll(2):
// CHECK-NEXT:                             C_local[j_0_1, 0, 0] = C_local[j_0_1, 0, 0] + A_shared[i_1, k_1] * B_shared[k_1, j_0_1 * 4 + j_1]
// CHECK-NEXT:                 for j_0_2 in T.unroll(2):
// CHECK-NEXT:                     C[i_0 * 4 + i_1, j_0_2 * 4 + j_1] = C_local[j_0_2, 0, 0]
IR_CASE(insert_barriers) {
  return after("insert_barriers");
}
