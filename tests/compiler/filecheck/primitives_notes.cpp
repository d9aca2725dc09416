// Notes, drawn numbers, and the trace of a schedule.
#include "compiler/ir/printer.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using schedule::Schedule;
using test::increment;
using test::matmul_relu;

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
