// The way of a small matrix multiply through every pass on the IR of the VTA's back end, and down to instructions. What
// the passes behind emit do is in vta_finishing.cpp.
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/passes/lower_dma.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "hw/program/assembly.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

// Two virtual threads take two tiles each, the sum in two halves, accumulators in two places.
ir::PrimFunc scheduled() {
  schedule::Schedule s(test::tiled_matmul(kConfig), vta::intrinsics(kConfig));
  const auto out = s.get_block("C"), sums = s.get_block("sums");
  const auto loops = s.get_loops(out);  // bo co bi ci
  const auto parts = s.split_by_parts(loops[1], 2);
  s.reorder({parts[0], parts[1], loops[0]});
  s.bind(parts[0], "vthread");
  for (const char* name : {"shifted", "sums"}) {
    s.set_scope(s.get_block(name), "vta.acc");
    s.compute_at(s.get_block(name), parts[1]);
  }
  s.double_buffer(sums);
  const auto inner = s.get_loops(sums);  // the two outer ones, then bo co bi ci ko ki
  const auto at = inner.size() - 6;
  const auto depth = s.split_by_parts(inner[at + 4], 2);
  s.reorder({depth[0], inner[at], inner[at + 1], depth[1], inner[at + 2], inner[at + 3], inner[at + 5]});
  const auto a = s.cache_read(sums, "A", "vta.inp"), b = s.cache_read(sums, "B", "vta.wgt");
  s.compute_at(a, depth[0]);
  s.compute_at(b, depth[0]);
  s.pragma(s.get_loops(a)[3], "dma_copy");
  s.pragma(s.get_loops(b)[3], "dma_copy");
  s.pragma(loops[0], "dma_copy");
  s.decompose_reduction(sums, depth[0]);
  s.tensorize(inner[at + 2], "vta.gemm");
  return s.function();
}

// After the named step.
std::string after(std::string_view name) {
  std::string text = "there is no such step";
  vta::compile(scheduled(), kConfig, [&](const passes::Step& step) {
    if (step.name == name) text = step.text();
  });
  return text;
}

}  // namespace

// CHECK-LABEL: == schedule
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((1, 4, 1, 16), "int8"), B: T.Buffer((4, 4, 16, 16), "int8"), C: T.Buffer((1, 4, 1, 16), "int8")):
// CHECK-NEXT:     sums = T.alloc_buffer((1, 4, 1, 16), "int32", scope="vta.acc")
// CHECK-NEXT:     shifted = T.alloc_buffer((1, 4, 1, 16), "int32", scope="vta.acc")
// CHECK-NEXT:     A_inp = T.alloc_buffer((1, 4, 1, 16), "int8", scope="vta.inp")
// CHECK-NEXT:     B_wgt = T.alloc_buffer((4, 4, 16, 16), "int8", scope="vta.wgt")
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             for ax0, ax1, ax2, ax3 in T.grid(1, 1, 1, 16):
// CHECK-NEXT:                 with T.block("sums_init"):
// CHECK-NEXT:                     vi = T.axis.spatial(1, ax0)
// CHECK-NEXT:                     vj = T.axis.spatial(4, j_0 * 2 + j_1 + ax1)
// CHECK-NEXT:                     vk = T.axis.spatial(1, ax2)
// CHECK-NEXT:                     vl = T.axis.spatial(16, ax3)
// CHECK-NEXT:                     T.reads()
// CHECK-NEXT:                     T.writes(sums[vi, vj, vk, vl])
// CHECK-NEXT:                     sums[vi, vj, vk, vl] = 0
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 for ax0_1 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1_1, ax2_1, ax3_1 in T.grid(2, 1, 16):
// CHECK-NEXT:                         with T.block("A_inp"):
// CHECK-NEXT:                             v0 = T.axis.spatial(1, ax0_1)
// CHECK-NEXT:                             v1 = T.axis.spatial(4, ax4_0 * 2 + ax1_1)
// CHECK-NEXT:                             v2 = T.axis.spatial(1, ax2_1)
// CHECK-NEXT:                             v3 = T.axis.spatial(16, ax3_1)
// CHECK-NEXT:                             T.reads(A[v0, v1, v2, v3])
// CHECK-NEXT:                             T.writes(A_inp[v0, v1, v2, v3])
// CHECK-NEXT:                             A_inp[v0, v1, v2, v3] = A[v0, v1, v2, v3]
// CHECK-NEXT:                 for ax0_2 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1_2, ax2_2, ax3_2 in T.grid(2, 16, 16):
// CHECK-NEXT:                         with T.block("B_wgt"):
// CHECK-NEXT:                             v0_1 = T.axis.spatial(4, j_0 * 2 + j_1 + ax0_2)
// CHECK-NEXT:                             v1_1 = T.axis.spatial(4, ax4_0 * 2 + ax1_2)
// CHECK-NEXT:                             v2_1 = T.axis.spatial(16, ax2_2)
// CHECK-NEXT:                             v3_1 = T.axis.spatial(16, ax3_2)
// CHECK-NEXT:                             T.reads(B[v0_1, v1_1, v2_1, v3_1])
// CHECK-NEXT:                             T.writes(B_wgt[v0_1, v1_1, v2_1, v3_1])
// CHECK-NEXT:                             B_wgt[v0_1, v1_1, v2_1, v3_1] = B[v0_1, v1_1, v2_1, v3_1]
// CHECK-NEXT:                 for ax0_3, ax1_3, ax4_1 in T.grid(1, 1, 2):
// CHECK-NEXT:                     with T.block("sums_o"):
// CHECK-NEXT:                         vi_o = T.axis.spatial(1, ax0_3)
// CHECK-NEXT:                         vj_o = T.axis.spatial(4, j_0 * 2 + j_1 + ax1_3)
// CHECK-NEXT:                         vko_o = T.axis.reduce(4, ax4_0 * 2 + ax4_1)
// CHECK-NEXT:                         T.reads(A_inp[vi_o, vko_o, 0, 0:16], B_wgt[vj_o, vko_o, 0:16, 0:16])
// CHECK-NEXT:                         T.writes(sums[vi_o, vj_o, 0, 0:16])
// CHECK-NEXT:                         T.block_attr({"double_buffer": 2, "tensor_intrinsic": "vta.gemm"})
// CHECK-NEXT:                         T.vta.gemm(sums[vi_o, vj_o, 0, 0:16], A_inp[vi_o, vko_o, 0, 0:16], B_wgt[vj_o, vko_o, 0:16, 0:16])
// CHECK-NEXT:             for ax0_4, ax1_4, ax2_3, ax3_3 in T.grid(1, 1, 1, 16):
// CHECK-NEXT:                 with T.block("shifted"):
// CHECK-NEXT:                     vi_1 = T.axis.spatial(1, ax0_4)
// CHECK-NEXT:                     vj_1 = T.axis.spatial(4, j_0 * 2 + j_1 + ax1_4)
// CHECK-NEXT:                     vk_1 = T.axis.spatial(1, ax2_3)
// CHECK-NEXT:                     vl_1 = T.axis.spatial(16, ax3_3)
// CHECK-NEXT:                     T.reads(sums[vi_1, vj_1, vk_1, vl_1])
// CHECK-NEXT:                     T.writes(shifted[vi_1, vj_1, vk_1, vl_1])
// CHECK-NEXT:                     shifted[vi_1, vj_1, vk_1, vl_1] = sums[vi_1, vj_1, vk_1, vl_1] >> 8
// CHECK-NEXT:             for i in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                 for k, l in T.grid(1, 16):
// CHECK-NEXT:                     with T.block("C"):
// CHECK-NEXT:                         vi_2 = T.axis.spatial(1, i)
// CHECK-NEXT:                         vj_2 = T.axis.spatial(4, j_0 * 2 + j_1)
// CHECK-NEXT:                         vk_2 = T.axis.spatial(1, k)
// CHECK-NEXT:                         vl_2 = T.axis.spatial(16, l)
// CHECK-NEXT:                         T.reads(shifted[vi_2, vj_2, vk_2, vl_2])
// CHECK-NEXT:                         T.writes(C[vi_2, vj_2, vk_2, vl_2])
// CHECK-NEXT:                         C[vi_2, vj_2, vk_2, vl_2] = T.Cast("int8", shifted[vi_2, vj_2, vk_2, vl_2])
IR_CASE(schedule) {
  return to_text(scheduled());
}

// CHECK-LABEL: == bound_loops
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((1, 4, 1, 16), "int8"), B: T.Buffer((4, 4, 16, 16), "int8"), C: T.Buffer((1, 4, 1, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             shifted = T.allocate((1, 1, 1, 16), "int32", scope="vta.acc")
// CHECK-NEXT:             sums = T.allocate((1, 1, 1, 16), "int32", scope="vta.acc", annotations={"double_buffer": 2})
// CHECK-NEXT:             for ax3 in range(16):
// CHECK-NEXT:                 sums[0, 0, 0, ax3] = 0
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((1, 2, 16, 16), "int8", scope="vta.wgt")
// CHECK-NEXT:                 A_inp = T.allocate((1, 2, 1, 16), "int8", scope="vta.inp")
// CHECK-NEXT:                 for ax0 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1, ax3_1 in T.grid(2, 16):
// CHECK-NEXT:                         A_inp[ax0, ax1, 0, ax3_1] = A[ax0, ax4_0 * 2 + ax1, 0, ax3_1]
// CHECK-NEXT:                 for ax0_1 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1_1, ax2, ax3_2 in T.grid(2, 16, 16):
// CHECK-NEXT:                         B_wgt[ax0_1, ax1_1, ax2, ax3_2] = B[j_0 * 2 + j_1 + ax0_1, ax4_0 * 2 + ax1_1, ax2, ax3_2]
// CHECK-NEXT:                 for ax4_1 in range(2):
// CHECK-NEXT:                     T.vta.gemm(sums[0, 0, 0, 0:16], A_inp[0, ax4_1, 0, 0:16], B_wgt[0, ax4_1, 0:16, 0:16])
// CHECK-NEXT:             for ax3_3 in range(16):
// CHECK-NEXT:                 shifted[0, 0, 0, ax3_3] = sums[0, 0, 0, ax3_3] >> 8
// CHECK-NEXT:             for i in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                 for l in range(16):
// CHECK-NEXT:                     C[i, j_0 * 2 + j_1, 0, l] = T.Cast("int8", shifted[i, 0, 0, l])
IR_CASE(bound_loops) {
  return after("bound_loops");
}

// CHECK-LABEL: == flatten_elements
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((4, 16), "int8"), B: T.Buffer((16, 256), "int8"), C: T.Buffer((4, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             shifted = T.allocate((1, 16), "int32", scope="vta.acc")
// CHECK-NEXT:             sums = T.allocate((1, 16), "int32", scope="vta.acc", annotations={"double_buffer": 2})
// CHECK-NEXT:             for ax3 in range(16):
// CHECK-NEXT:                 sums[0, ax3] = 0
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((2, 256), "int8", scope="vta.wgt")
// CHECK-NEXT:                 A_inp = T.allocate((2, 16), "int8", scope="vta.inp")
// CHECK-NEXT:                 for ax0 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1, ax3_1 in T.grid(2, 16):
// CHECK-NEXT:                         A_inp[ax0 * 2 + ax1, ax3_1] = A[ax0 * 4 + ax4_0 * 2 + ax1, ax3_1]
// CHECK-NEXT:                 for ax0_1 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1_1, ax2, ax3_2 in T.grid(2, 16, 16):
// CHECK-NEXT:                         B_wgt[ax0_1 * 2 + ax1_1, ax2 * 16 + ax3_2] = B[j_0 * 8 + j_1 * 4 + ax0_1 * 4 + ax4_0 * 2 + ax1_1, ax2 * 16 + ax3_2]
// CHECK-NEXT:                 for ax4_1 in range(2):
// CHECK-NEXT:                     T.vta.gemm(sums[0, 0:16], A_inp[ax4_1, 0:16], B_wgt[ax4_1, 0:256])
// CHECK-NEXT:             for ax3_3 in range(16):
// CHECK-NEXT:                 shifted[0, ax3_3] = sums[0, ax3_3] >> 8
// CHECK-NEXT:             for i in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                 for l in range(16):
// CHECK-NEXT:                     C[i * 4 + j_0 * 2 + j_1, l] = T.Cast("int8", shifted[i, l])
IR_CASE(flatten_elements) {
  return after("flatten_elements");
}

// CHECK-LABEL: == reuse_in_place
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((4, 16), "int8"), B: T.Buffer((16, 256), "int8"), C: T.Buffer((4, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             sums = T.allocate((1, 16), "int32", scope="vta.acc", annotations={"double_buffer": 2})
// CHECK-NEXT:             for ax3 in range(16):
// CHECK-NEXT:                 sums[0, ax3] = 0
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((2, 256), "int8", scope="vta.wgt")
// CHECK-NEXT:                 A_inp = T.allocate((2, 16), "int8", scope="vta.inp")
// CHECK-NEXT:                 for ax0 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1, ax3_1 in T.grid(2, 16):
// CHECK-NEXT:                         A_inp[ax0 * 2 + ax1, ax3_1] = A[ax0 * 4 + ax4_0 * 2 + ax1, ax3_1]
// CHECK-NEXT:                 for ax0_1 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1_1, ax2, ax3_2 in T.grid(2, 16, 16):
// CHECK-NEXT:                         B_wgt[ax0_1 * 2 + ax1_1, ax2 * 16 + ax3_2] = B[j_0 * 8 + j_1 * 4 + ax0_1 * 4 + ax4_0 * 2 + ax1_1, ax2 * 16 + ax3_2]
// CHECK-NEXT:                 for ax4_1 in range(2):
// CHECK-NEXT:                     T.vta.gemm(sums[0, 0:16], A_inp[ax4_1, 0:16], B_wgt[ax4_1, 0:256])
// CHECK-NEXT:             for ax3_3 in T.serial(16, annotations={"makes": "shifted"}):
// CHECK-NEXT:                 sums[0, ax3_3] = sums[0, ax3_3] >> 8
// CHECK-NEXT:             for i in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                 for l in range(16):
// CHECK-NEXT:                     C[i * 4 + j_0 * 2 + j_1, l] = T.Cast("int8", sums[i, l])
IR_CASE(reuse_in_place) {
  return after("reuse_in_place");
}

// CHECK-LABEL: == double_buffer
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((4, 16), "int8"), B: T.Buffer((16, 256), "int8"), C: T.Buffer((4, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         sums = T.allocate((2, 16), "int32", scope="vta.acc")
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             for ax3 in range(16):
// CHECK-NEXT:                 sums[j_1 % 2, ax3] = 0
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((2, 256), "int8", scope="vta.wgt")
// CHECK-NEXT:                 A_inp = T.allocate((2, 16), "int8", scope="vta.inp")
// CHECK-NEXT:                 for ax0 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1, ax3_1 in T.grid(2, 16):
// CHECK-NEXT:                         A_inp[ax0 * 2 + ax1, ax3_1] = A[ax0 * 4 + ax4_0 * 2 + ax1, ax3_1]
// CHECK-NEXT:                 for ax0_1 in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                     for ax1_1, ax2, ax3_2 in T.grid(2, 16, 16):
// CHECK-NEXT:                         B_wgt[ax0_1 * 2 + ax1_1, ax2 * 16 + ax3_2] = B[j_0 * 8 + j_1 * 4 + ax0_1 * 4 + ax4_0 * 2 + ax1_1, ax2 * 16 + ax3_2]
// CHECK-NEXT:                 for ax4_1 in range(2):
// CHECK-NEXT:                     T.vta.gemm(sums[j_1 % 2, 0:16], A_inp[ax4_1, 0:16], B_wgt[ax4_1, 0:256])
// CHECK-NEXT:             for ax3_3 in T.serial(16, annotations={"makes": "shifted"}):
// CHECK-NEXT:                 sums[j_1 % 2, ax3_3] = sums[j_1 % 2, ax3_3] >> 8
// CHECK-NEXT:             for i in T.serial(1, annotations={"pragma_dma_copy": 1}):
// CHECK-NEXT:                 for l in range(16):
// CHECK-NEXT:                     C[i * 4 + j_0 * 2 + j_1, l] = T.Cast("int8", sums[i + j_1 % 2, l])
IR_CASE(double_buffer) {
  return after("double_buffer");
}

// CHECK-LABEL: == lower_dma
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((4, 16), "int8"), B: T.Buffer((16, 256), "int8"), C: T.Buffer((4, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         sums = T.allocate((2, 16), "int32", scope="vta.acc")
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             for ax3 in range(16):
// CHECK-NEXT:                 sums[j_1 % 2, ax3] = 0
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((2, 256), "int8", scope="vta.wgt")
// CHECK-NEXT:                 A_inp = T.allocate((2, 16), "int8", scope="vta.inp")
// CHECK-NEXT:                 T.vta.load(A_inp[0:2, 0:16], A[ax4_0 * 2:ax4_0 * 2 + 2, 0:16], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.load(B_wgt[0:2, 0:256], B[j_0 * 8 + j_1 * 4 + ax4_0 * 2:j_0 * 8 + j_1 * 4 + ax4_0 * 2 + 2, 0:256], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 for ax4_1 in range(2):
// CHECK-NEXT:                     T.vta.gemm(sums[j_1 % 2, 0:16], A_inp[ax4_1, 0:16], B_wgt[ax4_1, 0:256])
// CHECK-NEXT:             for ax3_1 in T.serial(16, annotations={"makes": "shifted"}):
// CHECK-NEXT:                 sums[j_1 % 2, ax3_1] = sums[j_1 % 2, ax3_1] >> 8
// CHECK-NEXT:             T.vta.store(C[j_0 * 2 + j_1, 0:16], sums[j_1 % 2, 0:16], "rows", 1, "columns", 1, "stride", 4)
IR_CASE(lower_dma) {
  return after("lower_dma");
}

// Five columns in pieces of two: rows of a whole piece follow each other in the scratchpad, those of the last do not.
// CHECK-LABEL: == lower_dma_of_pieces
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def pieces(A: T.Buffer((20, 16), "int8")):
// CHECK-NEXT:     for piece in range(3):
// CHECK-NEXT:         A_inp = T.allocate((8, 16), "int8", scope="vta.inp")
// CHECK-NEXT:         if T.min(5 - piece * 2, 2) == 2:
// CHECK-NEXT:             T.vta.load(A_inp[0:8, 0:16], A[piece * 2:piece * 2 + 17, 0:16], "rows", 4, "columns", 2, "stride", 5, "pad", 0, 0, 0, 0)
// CHECK-NEXT:         else:
// CHECK-NEXT:             for row in range(4):
// CHECK-NEXT:                 T.vta.load(A_inp[row * 2:row * 2 + T.min(5 - piece * 2, 2), 0:16], A[piece * 2 + row * 5:piece * 2 + row * 5 + T.if_then_else(T.min(5 - piece * 2, 2) > 0, T.min(5 - piece * 2, 2), 0), 0:16], "rows", 1, "columns", T.min(5 - piece * 2, 2), "stride", T.min(5 - piece * 2, 2), "pad", 0, 0, 0, 0)
IR_CASE(lower_dma_of_pieces) {
  return to_text(vta::lower_dma(ir::parse_function(R"(
@T.prim_func
def pieces(A: T.Buffer((20, 16), "int8")):
    for piece in range(3):
        A_inp = T.allocate((8, 16), "int8", scope="vta.inp")
        for row in T.serial(4, annotations={"pragma_dma_copy": 1}):
            for column, lane in T.grid(T.min(5 - piece * 2, 2), 16):
                A_inp[row * 2 + column, lane] = A[row * 5 + piece * 2 + column, lane]
)",
                                                   "pieces"),
                                kConfig));
}

// CHECK-LABEL: == lower_gemm
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((4, 16), "int8"), B: T.Buffer((16, 256), "int8"), C: T.Buffer((4, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         sums = T.allocate((2, 16), "int32", scope="vta.acc")
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             for ax3 in range(16):
// CHECK-NEXT:                 sums[j_1 % 2, ax3] = 0
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((2, 256), "int8", scope="vta.wgt")
// CHECK-NEXT:                 A_inp = T.allocate((2, 16), "int8", scope="vta.inp")
// CHECK-NEXT:                 T.vta.load(A_inp[0:2, 0:16], A[ax4_0 * 2:ax4_0 * 2 + 2, 0:16], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.load(B_wgt[0:2, 0:256], B[j_0 * 8 + j_1 * 4 + ax4_0 * 2:j_0 * 8 + j_1 * 4 + ax4_0 * 2 + 2, 0:256], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.gemm(sums[j_1 % 2, 0:16], A_inp[0:2, 0:16], B_wgt[0:2, 0:256], "axis", 2, 0, 1, 1)
// CHECK-NEXT:             for ax3_1 in T.serial(16, annotations={"makes": "shifted"}):
// CHECK-NEXT:                 sums[j_1 % 2, ax3_1] = sums[j_1 % 2, ax3_1] >> 8
// CHECK-NEXT:             T.vta.store(C[j_0 * 2 + j_1, 0:16], sums[j_1 % 2, 0:16], "rows", 1, "columns", 1, "stride", 4)
IR_CASE(lower_gemm) {
  return after("lower_gemm");
}

// CHECK-LABEL: == lower_alu
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((4, 16), "int8"), B: T.Buffer((16, 256), "int8"), C: T.Buffer((4, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         sums = T.allocate((2, 16), "int32", scope="vta.acc")
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             T.vta.reset(sums[j_1 % 2, 0:16])
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((2, 256), "int8", scope="vta.wgt")
// CHECK-NEXT:                 A_inp = T.allocate((2, 16), "int8", scope="vta.inp")
// CHECK-NEXT:                 T.vta.load(A_inp[0:2, 0:16], A[ax4_0 * 2:ax4_0 * 2 + 2, 0:16], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.load(B_wgt[0:2, 0:256], B[j_0 * 8 + j_1 * 4 + ax4_0 * 2:j_0 * 8 + j_1 * 4 + ax4_0 * 2 + 2, 0:256], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.gemm(sums[j_1 % 2, 0:16], A_inp[0:2, 0:16], B_wgt[0:2, 0:256], "axis", 2, 0, 1, 1)
// CHECK-NEXT:             T.vta.alu("shr", sums[j_1 % 2, 0:16], "imm", 8)
// CHECK-NEXT:             T.vta.store(C[j_0 * 2 + j_1, 0:16], sums[j_1 % 2, 0:16], "rows", 1, "columns", 1, "stride", 4)
IR_CASE(lower_alu) {
  return after("lower_alu");
}

// CHECK-LABEL: == mark_turns
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((4, 16), "int8"), B: T.Buffer((16, 256), "int8"), C: T.Buffer((4, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         sums = T.allocate((2, 16), "int32", scope="vta.acc")
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             T.vta.reset(sums[j_1 % 2, 0:16])
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((2, 256), "int8", scope="vta.wgt")
// CHECK-NEXT:                 A_inp = T.allocate((2, 16), "int8", scope="vta.inp")
// CHECK-NEXT:                 T.vta.load(A_inp[0:2, 0:16], A[ax4_0 * 2:ax4_0 * 2 + 2, 0:16], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.load(B_wgt[0:2, 0:256], B[j_0 * 8 + j_1 * 4 + ax4_0 * 2:j_0 * 8 + j_1 * 4 + ax4_0 * 2 + 2, 0:256], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.gemm(sums[j_1 % 2, 0:16], A_inp[0:2, 0:16], B_wgt[0:2, 0:256], "axis", 2, 0, 1, 1)
// CHECK-NEXT:                 T.vta.turn()
// CHECK-NEXT:             T.vta.alu("shr", sums[j_1 % 2, 0:16], "imm", 8)
// CHECK-NEXT:             T.vta.store(C[j_0 * 2 + j_1, 0:16], sums[j_1 % 2, 0:16], "rows", 1, "columns", 1, "stride", 4)
IR_CASE(mark_turns) {
  return after("mark_turns");
}

// CHECK-LABEL: == place_scratchpads
// CHECK-NEXT: @T.prim_func
// CHECK-NEXT: def matmul(A: T.Buffer((4, 16), "int8"), B: T.Buffer((16, 256), "int8"), C: T.Buffer((4, 16), "int8")):
// CHECK-NEXT:     for j_0 in T.vthread(2):
// CHECK-NEXT:         sums = T.allocate((2, 16), "int32", scope="vta.acc", annotations={"vta.base": 0, "vta.thread_step": 1024})
// CHECK-NEXT:         for j_1 in range(2):
// CHECK-NEXT:             T.vta.reset(sums[j_1 % 2, 0:16])
// CHECK-NEXT:             for ax4_0 in range(2):
// CHECK-NEXT:                 B_wgt = T.allocate((2, 256), "int8", scope="vta.wgt", annotations={"vta.base": 0, "vta.thread_step": 512})
// CHECK-NEXT:                 A_inp = T.allocate((2, 16), "int8", scope="vta.inp", annotations={"vta.base": 0, "vta.thread_step": 1024})
// CHECK-NEXT:                 T.vta.load(A_inp[0:2, 0:16], A[ax4_0 * 2:ax4_0 * 2 + 2, 0:16], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.load(B_wgt[0:2, 0:256], B[j_0 * 8 + j_1 * 4 + ax4_0 * 2:j_0 * 8 + j_1 * 4 + ax4_0 * 2 + 2, 0:256], "rows", 1, "columns", 2, "stride", 4, "pad", 0, 0, 0, 0)
// CHECK-NEXT:                 T.vta.gemm(sums[j_1 % 2, 0:16], A_inp[0:2, 0:16], B_wgt[0:2, 0:256], "axis", 2, 0, 1, 1)
// CHECK-NEXT:                 T.vta.turn()
// CHECK-NEXT:             T.vta.alu("shr", sums[j_1 % 2, 0:16], "imm", 8)
// CHECK-NEXT:             T.vta.store(C[j_0 * 2 + j_1, 0:16], sums[j_1 % 2, 0:16], "rows", 1, "columns", 1, "stride", 4)
IR_CASE(place_scratchpads) {
  return after("place_scratchpads");
}

// CHECK-LABEL: == emit
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor A inp 4 input
// CHECK-NEXT: .tensor B wgt 16 input
// CHECK-NEXT: .tensor C out 4 output
// CHECK-NEXT: .kernel k0 gemm.reset
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k2 alu.shr.imm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k3 gemm.reset
// CHECK-NEXT:   .uop dst=1 src=0 wgt=0
// CHECK-NEXT: .kernel k4 gemm
// CHECK-NEXT:   .uop dst=1 src=0 wgt=0
// CHECK-NEXT: .kernel k5 alu.shr.imm
// CHECK-NEXT:   .uop dst=1 src=0 wgt=0
// CHECK-NEXT: .kernel k6 gemm.reset
// CHECK-NEXT:   .uop dst=1024 src=0 wgt=0
// CHECK-NEXT: .kernel k7 gemm
// CHECK-NEXT:   .uop dst=1024 src=1024 wgt=512
// CHECK-NEXT: .kernel k8 alu.shr.imm
// CHECK-NEXT:   .uop dst=1024 src=0 wgt=0
// CHECK-NEXT: .kernel k9 gemm.reset
// CHECK-NEXT:   .uop dst=1025 src=0 wgt=0
// CHECK-NEXT: .kernel k10 gemm
// CHECK-NEXT:   .uop dst=1025 src=1024 wgt=512
// CHECK-NEXT: .kernel k11 alu.shr.imm
// CHECK-NEXT:   .uop dst=1025 src=0 wgt=0
// CHECK-NEXT: gemm.reset uop=k0 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; writes acc[0:1]
// CHECK-NEXT: gemm.reset uop=k6 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; writes acc[1024:1025]
// CHECK-NEXT: load.inp   sram=0 dram=A+0 y=1 x=2 stride=2                                                          ; reads A[0:32], writes inp[0:2]
// CHECK-NEXT: load.wgt   sram=0 dram=B+0 y=1 x=2 stride=2                                                          ; reads B[0:512], writes wgt[0:2]
// CHECK-NEXT: gemm       uop=k1 out=1 in=2 dst=0,0 src=0,1 wgt=0,1                                                 ; reads inp[0:2] wgt[0:2], writes acc[0:1]
// CHECK-NEXT: load.inp   sram=1024 dram=A+0 y=1 x=2 stride=2                                                       ; reads A[0:32], writes inp[1024:1026]
// CHECK-NEXT: load.wgt   sram=512 dram=B+8 y=1 x=2 stride=2                                                        ; reads B[2048:2560], writes wgt[512:514]
// CHECK-NEXT: gemm       uop=k7 out=1 in=2 dst=0,0 src=0,1 wgt=0,1                                                 ; reads inp[1024:1026] wgt[512:514], writes acc[1024:1025]
// CHECK-NEXT: load.inp   sram=0 dram=A+2 y=1 x=2 stride=2                                                          ; reads A[32:64], writes inp[0:2]
// CHECK-NEXT: load.wgt   sram=0 dram=B+2 y=1 x=2 stride=2                                                          ; reads B[512:1024], writes wgt[0:2]
// CHECK-NEXT: gemm       uop=k1 out=1 in=2 dst=0,0 src=0,1 wgt=0,1                                                 ; reads inp[0:2] wgt[0:2], writes acc[0:1]
// CHECK-NEXT: load.inp   sram=1024 dram=A+2 y=1 x=2 stride=2                                                       ; reads A[32:64], writes inp[1024:1026]
// CHECK-NEXT: load.wgt   sram=512 dram=B+10 y=1 x=2 stride=2                                                       ; reads B[2560:3072], writes wgt[512:514]
// CHECK-NEXT: gemm       uop=k7 out=1 in=2 dst=0,0 src=0,1 wgt=0,1                                                 ; reads inp[1024:1026] wgt[512:514], writes acc[1024:1025]
// CHECK-NEXT: alu.shr    uop=k2 out=1 in=1 dst=0,0 src=0,0 imm=8                                                   ; writes acc[0:1]
// CHECK-NEXT: store.out  sram=0 dram=C+0 y=1 x=1 stride=1                                                          ; reads acc[0:1], writes C[0:16]
// CHECK-NEXT: gemm.reset uop=k3 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; writes acc[1:2]
// CHECK-NEXT: load.inp   sram=0 dram=A+0 y=1 x=2 stride=2                                                          ; reads A[0:32], writes inp[0:2]
// CHECK-NEXT: load.wgt   sram=0 dram=B+4 y=1 x=2 stride=2                                                          ; reads B[1024:1536], writes wgt[0:2]
// CHECK-NEXT: gemm       uop=k4 out=1 in=2 dst=0,0 src=0,1 wgt=0,1                                                 ; reads inp[0:2] wgt[0:2], writes acc[1:2]
// CHECK-NEXT: alu.shr    uop=k8 out=1 in=1 dst=0,0 src=0,0 imm=8                                                   ; writes acc[1024:1025]
// CHECK-NEXT: store.out  sram=1024 dram=C+2 y=1 x=1 stride=1                                                       ; reads acc[1024:1025], writes C[32:48]
// CHECK-NEXT: gemm.reset uop=k9 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; writes acc[1025:1026]
// CHECK-NEXT: load.inp   sram=1024 dram=A+0 y=1 x=2 stride=2                                                       ; reads A[0:32], writes inp[1024:1026]
// CHECK-NEXT: load.wgt   sram=512 dram=B+12 y=1 x=2 stride=2                                                       ; reads B[3072:3584], writes wgt[512:514]
// CHECK-NEXT: gemm       uop=k10 out=1 in=2 dst=0,0 src=0,1 wgt=0,1                                                ; reads inp[1024:1026] wgt[512:514], writes acc[1025:1026]
// CHECK-NEXT: load.inp   sram=0 dram=A+2 y=1 x=2 stride=2                                                          ; reads A[32:64], writes inp[0:2]
// CHECK-NEXT: load.wgt   sram=0 dram=B+6 y=1 x=2 stride=2                                                          ; reads B[1536:2048], writes wgt[0:2]
// CHECK-NEXT: gemm       uop=k4 out=1 in=2 dst=0,0 src=0,1 wgt=0,1                                                 ; reads inp[0:2] wgt[0:2], writes acc[1:2]
// CHECK-NEXT: load.inp   sram=1024 dram=A+2 y=1 x=2 stride=2                                                       ; reads A[32:64], writes inp[1024:1026]
// CHECK-NEXT: load.wgt   sram=512 dram=B+14 y=1 x=2 stride=2                                                       ; reads B[3584:4096], writes wgt[512:514]
// CHECK-NEXT: gemm       uop=k10 out=1 in=2 dst=0,0 src=0,1 wgt=0,1                                                ; reads inp[1024:1026] wgt[512:514], writes acc[1025:1026]
// CHECK-NEXT: alu.shr    uop=k5 out=1 in=1 dst=0,0 src=0,0 imm=8                                                   ; writes acc[1:2]
// CHECK-NEXT: store.out  sram=1 dram=C+1 y=1 x=1 stride=1                                                          ; reads acc[1:2], writes C[16:32]
// CHECK-NEXT: alu.shr    uop=k11 out=1 in=1 dst=0,0 src=0,0 imm=8                                                  ; writes acc[1025:1026]
// CHECK-NEXT: store.out  sram=1025 dram=C+3 y=1 x=1 stride=1                                                       ; reads acc[1025:1026], writes C[48:64]
IR_CASE(emit) {
  return after("emit");
}

// CHECK-LABEL: == program
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .config {"TARGET":"sim","HW_VER":"0.0.2","LOG_INP_WIDTH":3,"LOG_WGT_WIDTH":3,"LOG_ACC_WIDTH":5,"LOG_BATCH":0,"LOG_BLOCK":4,"LOG_UOP_BUFF_SIZE":15,"LOG_INP_BUFF_SIZE":15,"LOG_WGT_BUFF_SIZE":18,"LOG_ACC_BUFF_SIZE":17,"LOG_BLOCK_IN":4,"LOG_BLOCK_OUT":4,"LOG_BUS_WIDTH":6,"CLOCK_MHZ":100}
// CHECK-NEXT: .tensor A inp 4 input
// CHECK-NEXT: .tensor B wgt 16 input
// CHECK-NEXT: .tensor C out 4 output
// CHECK-NEXT: .uop dst=0 src=0 wgt=0                   ; 0
// CHECK-NEXT: .uop dst=1024 src=0 wgt=0                ; 1
// CHECK-NEXT: .uop dst=0 src=0 wgt=0                   ; 2
// CHECK-NEXT: .uop dst=1024 src=1024 wgt=512           ; 3
// CHECK-NEXT: .uop dst=0 src=0 wgt=0                   ; 4
// CHECK-NEXT: .uop dst=1 src=0 wgt=0                   ; 5
// CHECK-NEXT: .uop dst=1 src=0 wgt=0                   ; 6
// CHECK-NEXT: .uop dst=1024 src=0 wgt=0                ; 7
// CHECK-NEXT: .uop dst=1025 src=0 wgt=0                ; 8
// CHECK-NEXT: .uop dst=1025 src=1024 wgt=512           ; 9
// CHECK-NEXT: .uop dst=1 src=0 wgt=0                   ; 10
// CHECK-NEXT: .uop dst=1025 src=0 wgt=0                ; 11
// CHECK-NEXT: load.uop   sram=0 dram=uops+0 y=1 x=12 stride=12                                                     ; 0
// CHECK-NEXT: gemm.reset uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                ; 1
// CHECK-NEXT: gemm.reset uop=1:2 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                ; 2
// CHECK-NEXT: load.inp   sram=0 dram=A+0 y=1 x=2 stride=2                                                          ; 3
// CHECK-NEXT: load.wgt   sram=0 dram=B+0 y=1 x=2 stride=2 push=next                                                ; 4
// CHECK-NEXT: gemm       uop=2:3 out=1 in=2 dst=0,0 src=0,1 wgt=0,1 pop=prev push=prev                             ; 5
// CHECK-NEXT: load.inp   sram=1024 dram=A+0 y=1 x=2 stride=2                                                       ; 6
// CHECK-NEXT: load.wgt   sram=512 dram=B+8 y=1 x=2 stride=2 push=next                                              ; 7
// CHECK-NEXT: gemm       uop=3:4 out=1 in=2 dst=0,0 src=0,1 wgt=0,1 pop=prev push=prev                             ; 8
// CHECK-NEXT: load.inp   sram=0 dram=A+2 y=1 x=2 stride=2 pop=next                                                 ; 9
// CHECK-NEXT: load.wgt   sram=0 dram=B+2 y=1 x=2 stride=2 push=next                                                ; 10
// CHECK-NEXT: gemm       uop=2:3 out=1 in=2 dst=0,0 src=0,1 wgt=0,1 pop=prev push=prev                             ; 11
// CHECK-NEXT: load.inp   sram=1024 dram=A+2 y=1 x=2 stride=2 pop=next                                              ; 12
// CHECK-NEXT: load.wgt   sram=512 dram=B+10 y=1 x=2 stride=2 push=next                                             ; 13
// CHECK-NEXT: gemm       uop=3:4 out=1 in=2 dst=0,0 src=0,1 wgt=0,1 pop=prev push=prev                             ; 14
// CHECK-NEXT: alu.shr    uop=4:5 out=1 in=1 dst=0,0 src=0,0 imm=8 push=next                                        ; 15
// CHECK-NEXT: store.out  sram=0 dram=C+0 y=1 x=1 stride=1 pop=prev                                                 ; 16
// CHECK-NEXT: gemm.reset uop=5:6 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                ; 17
// CHECK-NEXT: load.inp   sram=0 dram=A+0 y=1 x=2 stride=2 pop=next                                                 ; 18
// CHECK-NEXT: load.wgt   sram=0 dram=B+4 y=1 x=2 stride=2 push=next                                                ; 19
// CHECK-NEXT: gemm       uop=6:7 out=1 in=2 dst=0,0 src=0,1 wgt=0,1 pop=prev push=prev                             ; 20
// CHECK-NEXT: alu.shr    uop=7:8 out=1 in=1 dst=0,0 src=0,0 imm=8 push=next                                        ; 21
// CHECK-NEXT: store.out  sram=1024 dram=C+2 y=1 x=1 stride=1 pop=prev                                              ; 22
// CHECK-NEXT: gemm.reset uop=8:9 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                ; 23
// CHECK-NEXT: load.inp   sram=1024 dram=A+0 y=1 x=2 stride=2 pop=next                                              ; 24
// CHECK-NEXT: load.wgt   sram=512 dram=B+12 y=1 x=2 stride=2 push=next                                             ; 25
// CHECK-NEXT: gemm       uop=9:10 out=1 in=2 dst=0,0 src=0,1 wgt=0,1 pop=prev push=prev                            ; 26
// CHECK-NEXT: load.inp   sram=0 dram=A+2 y=1 x=2 stride=2 pop=next                                                 ; 27
// CHECK-NEXT: load.wgt   sram=0 dram=B+6 y=1 x=2 stride=2 push=next                                                ; 28
// CHECK-NEXT: gemm       uop=6:7 out=1 in=2 dst=0,0 src=0,1 wgt=0,1 pop=prev                                       ; 29
// CHECK-NEXT: load.inp   sram=1024 dram=A+2 y=1 x=2 stride=2 pop=next                                              ; 30
// CHECK-NEXT: load.wgt   sram=512 dram=B+14 y=1 x=2 stride=2 push=next                                             ; 31
// CHECK-NEXT: gemm       uop=9:10 out=1 in=2 dst=0,0 src=0,1 wgt=0,1 pop=prev                                      ; 32
// CHECK-NEXT: alu.shr    uop=10:11 out=1 in=1 dst=0,0 src=0,0 imm=8 push=next                                      ; 33
// CHECK-NEXT: store.out  sram=1 dram=C+1 y=1 x=1 stride=1 pop=prev                                                 ; 34
// CHECK-NEXT: alu.shr    uop=11:12 out=1 in=1 dst=0,0 src=0,0 imm=8 push=next                                      ; 35
// CHECK-NEXT: store.out  sram=1025 dram=C+3 y=1 x=1 stride=1 pop=prev push=prev                                    ; 36
// CHECK-NEXT: finish pop=next                                                                                      ; 37
IR_CASE(program) {
  return disassemble(vta::compile(scheduled(), kConfig));
}
