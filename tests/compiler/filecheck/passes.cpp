// What every general lowering pass makes of a small function.
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/passes/align_storage.h"
#include "compiler/passes/bound_loops.h"
#include "compiler/passes/compact_buffers.h"
#include "compiler/passes/double_buffer.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/plan_allocations.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/unroll_loops.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using schedule::Schedule;

namespace {

// C = (A + 1) * 2, four elements at a time; what lies between in so many places.
ir::PrimFunc in_pieces(int64_t places = 2) {
  Schedule s(test::chain());
  const auto parts = s.split_by_factor(s.get_loops(s.get_block("C"))[0], 4);
  s.compute_at(s.get_block("B"), parts[0]);
  s.double_buffer(s.get_block("B"), places);
  return s.function();
}

// A loop whose length its parts do not divide.
ir::PrimFunc guarded() {
  Schedule s(test::increment(10));
  s.split_by_factor(s.get_loops(s.get_block("B"))[0], 4);
  return s.function();
}

}  // namespace

// CHECK-LABEL: == plan_allocations
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         B = T.allocate((16,), "int32", annotations={"double_buffer": 2})
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
IR_CASE(plan_allocations) {
  return to_text(passes::plan_allocations(in_pieces()));
}

// CHECK-LABEL: == compact_buffers
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         B = T.allocate((4,), "int32", annotations={"double_buffer": 2})
// CHECK-NEXT:         for ax0 in range(4):
// CHECK-NEXT:             with T.block("B"):
// CHECK-NEXT:                 vi = T.axis.spatial(16, i_0 * 4 + ax0)
// CHECK-NEXT:                 T.reads(A[vi])
// CHECK-NEXT:                 T.writes(B[vi - i_0 * 4])
// CHECK-NEXT:                 T.block_attr({"double_buffer": 2})
// CHECK-NEXT:                 B[vi - i_0 * 4] = A[vi] + 1
// CHECK-NEXT:         for i_1 in range(4):
// CHECK-NEXT:             with T.block("C"):
// CHECK-NEXT:                 vi_1 = T.axis.spatial(16, i_0 * 4 + i_1)
// CHECK-NEXT:                 T.reads(B[vi_1 - i_0 * 4])
// CHECK-NEXT:                 T.writes(C[vi_1])
// CHECK-NEXT:                 C[vi_1] = B[vi_1 - i_0 * 4] * 2
IR_CASE(compact_buffers) {
  return to_text(passes::compact_buffers(passes::plan_allocations(in_pieces())));
}

// CHECK-LABEL: == align_storage
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul_relu(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16, 16), "int32")):
// CHECK-NEXT:     Y = T.allocate((16, 16), "int32", strides=(33, 1))
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
IR_CASE(align_storage) {
  Schedule s(test::matmul_relu());
  s.storage_align(s.get_block("Y"), 0, 32, 1);
  return to_text(passes::align_storage(passes::plan_allocations(s.function())));
}

// CHECK-LABEL: == lower_blocks
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def row_sum(A: T.Buffer((4, 32), "int32"), B: T.Buffer((4,), "int32")):
// CHECK-NEXT:     for i, k in T.grid(4, 32):
// CHECK-NEXT:         if k == 0:
// CHECK-NEXT:             B[i] = 0
// CHECK-NEXT:         B[i] = B[i] + A[i, k]
IR_CASE(lower_blocks) {
  return to_text(passes::lower_blocks(test::row_sum()));
}

// CHECK-LABEL: == lower_blocks_with_a_guard
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
// CHECK-NEXT:     for i_0, i_1 in T.grid(3, 4):
// CHECK-NEXT:         if T.likely(i_0 * 4 + i_1 < 10):
// CHECK-NEXT:             B[i_0 * 4 + i_1] = A[i_0 * 4 + i_1] + 1
IR_CASE(lower_blocks_with_a_guard) {
  return to_text(passes::lower_blocks(guarded()));
}

// CHECK-LABEL: == lower_blocks_with_a_guard_of_an_axis
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def f(A: T.Buffer((10,), "int32")):
// CHECK-NEXT:     for i in range(5):
// CHECK-NEXT:         if T.likely(i * 2 < 7):
// CHECK-NEXT:             A[i * 2] = 1
IR_CASE(lower_blocks_with_a_guard_of_an_axis) {
  return to_text(passes::lower_blocks(ir::parse_function(R"(@T.prim_func
def f(A: T.Buffer((10,), "int32")):
    for i in range(5):
        with T.block("A"):
            vi = T.axis.spatial(10, i * 2)
            T.where(vi < 7)
            T.reads()
            T.writes(A[vi])
            A[vi] = 1
)",
                                                         "f")));
}

// CHECK-LABEL: == simplify
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         B = T.allocate((4,), "int32", annotations={"double_buffer": 2})
// CHECK-NEXT:         for ax0 in range(4):
// CHECK-NEXT:             B[ax0] = A[i_0 * 4 + ax0] + 1
// CHECK-NEXT:         for i_1 in range(4):
// CHECK-NEXT:             C[i_0 * 4 + i_1] = B[i_1] * 2
IR_CASE(simplify) {
  return to_text(
      passes::simplify(passes::lower_blocks(passes::compact_buffers(passes::plan_allocations(in_pieces())))));
}

// CHECK-LABEL: == bound_loops
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
// CHECK-NEXT:     for i_0 in range(3):
// CHECK-NEXT:         for i_1 in range(T.min(10 - i_0 * 4, 4)):
// CHECK-NEXT:             B[i_0 * 4 + i_1] = A[i_0 * 4 + i_1] + 1
IR_CASE(bound_loops) {
  return to_text(passes::bound_loops(passes::simplify(passes::lower_blocks(guarded()))));
}

// CHECK-LABEL: == double_buffer
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     B = T.allocate((8,), "int32")
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         for ax0 in range(4):
// CHECK-NEXT:             B[ax0 + i_0 % 2 * 4] = A[i_0 * 4 + ax0] + 1
// CHECK-NEXT:         for i_1 in range(4):
// CHECK-NEXT:             C[i_0 * 4 + i_1] = B[i_1 + i_0 % 2 * 4] * 2
IR_CASE(double_buffer) {
  return to_text(passes::double_buffer(
      passes::simplify(passes::lower_blocks(passes::compact_buffers(passes::plan_allocations(in_pieces()))))));
}

// CHECK-LABEL: == double_buffer_of_four
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def chain(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
// CHECK-NEXT:     B = T.allocate((16,), "int32")
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         for ax0 in range(4):
// CHECK-NEXT:             B[ax0 + i_0 % 4 * 4] = A[i_0 * 4 + ax0] + 1
// CHECK-NEXT:         for i_1 in range(4):
// CHECK-NEXT:             C[i_0 * 4 + i_1] = B[i_1 + i_0 % 4 * 4] * 2
IR_CASE(double_buffer_of_four) {
  return to_text(passes::double_buffer(
      passes::simplify(passes::lower_blocks(passes::compact_buffers(passes::plan_allocations(in_pieces(4)))))));
}

// CHECK-LABEL: == unroll_loops
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def increment(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
// CHECK-NEXT:     for i_0 in range(4):
// CHECK-NEXT:         B[i_0 * 3] = A[i_0 * 3] + 1
// CHECK-NEXT:         B[i_0 * 3 + 1] = A[i_0 * 3 + 1] + 1
// CHECK-NEXT:         B[i_0 * 3 + 2] = A[i_0 * 3 + 2] + 1
IR_CASE(unroll_loops) {
  Schedule s(test::increment(12));
  const auto parts = s.split_by_factor(s.get_loops(s.get_block("B"))[0], 3);
  s.unroll(parts[1]);
  return to_text(passes::unroll_loops(passes::lower_blocks(s.function())));
}
