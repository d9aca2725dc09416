// The code that functions become before LLVM's own passes, for a processor with AVX2: how lanes, masks, threads and
// byte products come out.
#include <sstream>

#include "compiler/backend/cpu/object.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/stmt.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using namespace vantage::ir;

namespace {

// Lines of LLVM's IR without debug locations, attribute numbers and lists of predecessors, which end them.
std::string without_notes(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    for (const char* note : {", !dbg", " !dbg", "  ; preds", " #"}) {
      if (const size_t at = line.find(note); at != std::string::npos) {
        line.erase(at);
        if (line.rfind("define", 0) == 0) line += " {";
      }
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    result += line + "\n";
  }
  return result;
}

// The functions whose names begin with `name`, without what debuggers are told.
std::string generated(const std::vector<Param>& params, const Stmt& body, const std::string& name = "f.body") {
  PrimFunc f;
  f.name = "f";
  f.params = params;
  f.body = body;
  std::string text;
  cpu::Options options;
  options.observer = [&](const passes::Step& step) {
    if (step.name == "generated") text = step.text();
  };
  cpu::compile_object({f}, cpu::cross_target("x86_64-pc-linux-gnu", "haswell"), options);
  std::string result;
  const std::string head = "define internal ";
  for (size_t at = text.find(head); at != std::string::npos; at = text.find(head, at + 1)) {
    const size_t symbol = text.find('@', at);
    if (text.compare(symbol + 1, name.size(), name) != 0) continue;
    result += text.substr(at, text.find("\n}\n", at) + 3 - at);
  }
  return without_notes(result);
}

const Var i("i"), j("j");
const Buffer a = make_buffer("A", {64, 64}, kFloat32), b = make_buffer("B", {64}, kFloat32);
const Buffer c = make_buffer("C", {64}, kFloat32);

}  // namespace

// CHECK-LABEL: == neighbours_are_one_load
// CHECK-NEXT: define internal void @f.body(ptr noalias nocapture readonly align 4 %B, ptr noalias nocapture align 4 %C, ptr %0, ptr %1) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %2 = getelementptr inbounds float, ptr %B, i64 0
// CHECK-NEXT:   %3 = load <8 x float>, ptr %2, align 4
// CHECK-NEXT:   %4 = fmul <8 x float> %3, <float 2.000000e+00, float 2.000000e+00, float 2.000000e+00, float 2.000000e+00, float 2.000000e+00, float 2.000000e+00, float 2.000000e+00, float 2.000000e+00>
// CHECK-NEXT:   %5 = getelementptr inbounds float, ptr %C, i64 3
// CHECK-NEXT:   store <8 x float> %4, ptr %5, align 4
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
IR_CASE(neighbours_are_one_load) {
  return generated({b, c}, loop(ForKind::kVectorized, i, 8, store(c, {i + 3}, load(b, {i}) * 2.0F)));
}

// CHECK-LABEL: == distant_elements_are_gathered
// CHECK-NEXT: define internal void @f.body(ptr noalias nocapture readonly align 4 %A, ptr noalias nocapture align 4 %C, ptr %0, ptr %1) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %2 = getelementptr inbounds float, ptr %A, <8 x i64> <i64 5, i64 69, i64 133, i64 197, i64 261, i64 325, i64 389, i64 453>
// CHECK-NEXT:   %3 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %2, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> zeroinitializer)
// CHECK-NEXT:   %4 = getelementptr inbounds float, ptr %C, i64 0
// CHECK-NEXT:   store <8 x float> %3, ptr %4, align 4
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
IR_CASE(distant_elements_are_gathered) {
  return generated({a, c}, loop(ForKind::kVectorized, i, 8, store(c, {i}, load(a, {i, 5}))));
}

// CHECK-LABEL: == conditions_are_masks
// CHECK-NEXT: define internal void @f.body(ptr noalias nocapture readonly align 4 %B, ptr noalias nocapture align 4 %C, ptr %0, ptr %1) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %2 = getelementptr float, ptr %B, i64 0
// CHECK-NEXT:   %3 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %2, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, <8 x float> zeroinitializer)
// CHECK-NEXT:   %4 = getelementptr float, ptr %C, i64 0
// CHECK-NEXT:   call void @llvm.masked.store.v8f32.p0(<8 x float> %3, ptr %4, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
IR_CASE(conditions_are_masks) {
  const Stmt body = make_stmt(If(i < 5, store(c, {i}, load(b, {i})), {}));
  return generated({b, c}, loop(ForKind::kVectorized, i, 8, body));
}

// CHECK-LABEL: == lanes_wait_for_the_last
// CHECK-NEXT: define internal void @f.body(ptr noalias nocapture readonly align 4 %B, ptr noalias nocapture align 4 %C, ptr %0, ptr %1) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %2 = call i32 @llvm.vector.reduce.smax.v8i32(<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>)
// CHECK-NEXT:   %3 = icmp sgt i32 %2, 0
// CHECK-NEXT:   br i1 %3, label %j, label %j.end
// CHECK-EMPTY:
// CHECK-NEXT: j:
// CHECK-NEXT:   %j1 = phi i32 [ 0, %entry ], [ %15, %j ]
// CHECK-NEXT:   %.splatinsert = insertelement <8 x i32> poison, i32 %j1, i64 0
// CHECK-NEXT:   %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
// CHECK-NEXT:   %4 = icmp slt <8 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
// CHECK-NEXT:   %5 = add nsw <8 x i32> zeroinitializer, %.splat
// CHECK-NEXT:   %6 = getelementptr float, ptr %C, i64 0
// CHECK-NEXT:   %7 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %6, i32 4, <8 x i1> %4, <8 x float> zeroinitializer)
// CHECK-NEXT:   %8 = sext <8 x i32> %5 to <8 x i64>
// CHECK-NEXT:   %9 = mul nsw <8 x i64> %8, <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>
// CHECK-NEXT:   %10 = add nsw <8 x i64> zeroinitializer, %9
// CHECK-NEXT:   %11 = getelementptr float, ptr %B, <8 x i64> %10
// CHECK-NEXT:   %12 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %11, i32 4, <8 x i1> %4, <8 x float> zeroinitializer)
// CHECK-NEXT:   %13 = fadd contract <8 x float> %7, %12
// CHECK-NEXT:   %14 = getelementptr float, ptr %C, i64 0
// CHECK-NEXT:   call void @llvm.masked.store.v8f32.p0(<8 x float> %13, ptr %14, i32 4, <8 x i1> %4)
// CHECK-NEXT:   %15 = add nuw nsw i32 %j1, 1
// CHECK-NEXT:   %16 = icmp slt i32 %15, %2
// CHECK-NEXT:   br i1 %16, label %j, label %j.end
// CHECK-EMPTY:
// CHECK-NEXT: j.end:
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
IR_CASE(lanes_wait_for_the_last) {
  const Stmt sum = store(c, {i}, load(c, {i}) + load(b, {j}));
  return generated({b, c}, loop(ForKind::kVectorized, i, 8, loop(ForKind::kSerial, j, i, sum)));
}

// CHECK-LABEL: == what_is_left_takes_fewer_lanes
// CHECK-NEXT: define internal void @f.body(ptr noalias nocapture readonly align 4 %B, ptr noalias nocapture align 4 %C, ptr %0, ptr %1) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %2 = getelementptr inbounds float, ptr %B, i64 0
// CHECK-NEXT:   %3 = load <8 x float>, ptr %2, align 4
// CHECK-NEXT:   %4 = getelementptr inbounds float, ptr %C, i64 0
// CHECK-NEXT:   store <8 x float> %3, ptr %4, align 4
// CHECK-NEXT:   %5 = getelementptr inbounds float, ptr %B, i64 8
// CHECK-NEXT:   %6 = load <2 x float>, ptr %5, align 4
// CHECK-NEXT:   %7 = getelementptr inbounds float, ptr %C, i64 8
// CHECK-NEXT:   store <2 x float> %6, ptr %7, align 4
// CHECK-NEXT:   %8 = getelementptr inbounds float, ptr %B, i64 10
// CHECK-NEXT:   %9 = load float, ptr %8, align 4
// CHECK-NEXT:   %10 = getelementptr inbounds float, ptr %C, i64 10
// CHECK-NEXT:   store float %9, ptr %10, align 4
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
IR_CASE(what_is_left_takes_fewer_lanes) {
  return generated({b, c}, loop(ForKind::kVectorized, i, 11, store(c, {i}, load(b, {i}))));
}

// CHECK-LABEL: == parallel_loops_are_functions
// CHECK-NEXT: define internal void @f.body(ptr noalias nocapture readonly align 4 %B, ptr noalias nocapture align 4 %C, ptr %0, ptr %1) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %closure = alloca { ptr, ptr, ptr }, align 8
// CHECK-NEXT:   %2 = getelementptr inbounds { ptr, ptr, ptr }, ptr %closure, i32 0, i32 0
// CHECK-NEXT:   store ptr %0, ptr %2, align 8
// CHECK-NEXT:   %3 = getelementptr inbounds { ptr, ptr, ptr }, ptr %closure, i32 0, i32 1
// CHECK-NEXT:   store ptr %C, ptr %3, align 8
// CHECK-NEXT:   %4 = getelementptr inbounds { ptr, ptr, ptr }, ptr %closure, i32 0, i32 2
// CHECK-NEXT:   store ptr %B, ptr %4, align 8
// CHECK-NEXT:   %5 = getelementptr inbounds { ptr, ptr, ptr, ptr }, ptr %0, i32 0, i32 0
// CHECK-NEXT:   %6 = load ptr, ptr %5, align 8
// CHECK-NEXT:   %7 = getelementptr inbounds { ptr, ptr, ptr, ptr }, ptr %0, i32 0, i32 3
// CHECK-NEXT:   %8 = load ptr, ptr %7, align 8
// CHECK-NEXT:   %9 = call i32 %8(ptr %6, i64 64, ptr @f.body.i.task, ptr %closure)
// CHECK-NEXT:   %10 = load i32, ptr %1, align 4
// CHECK-NEXT:   %11 = icmp ne i32 %9, 0
// CHECK-NEXT:   %12 = select i1 %11, i32 %9, i32 %10
// CHECK-NEXT:   store i32 %12, ptr %1, align 4
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-NEXT: define internal i32 @f.body.i(i64 %0, i64 %1, ptr %2, ptr noalias nocapture align 4 %3, ptr noalias nocapture align 4 %4) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %status = alloca i32, align 4
// CHECK-NEXT:   store i32 0, ptr %status, align 4
// CHECK-NEXT:   %5 = sub nsw i64 %1, %0
// CHECK-NEXT:   %6 = icmp sgt i64 %5, 0
// CHECK-NEXT:   br i1 %6, label %i, label %i.end
// CHECK-EMPTY:
// CHECK-NEXT: i:
// CHECK-NEXT:   %i1 = phi i64 [ 0, %entry ], [ %19, %i ]
// CHECK-NEXT:   %7 = add nsw i64 %0, %i1
// CHECK-NEXT:   %8 = trunc i64 %7 to i32
// CHECK-NEXT:   %9 = add nsw i32 0, %8
// CHECK-NEXT:   %10 = sext i32 %9 to i64
// CHECK-NEXT:   %11 = mul nsw i64 %10, 1
// CHECK-NEXT:   %12 = add nsw i64 0, %11
// CHECK-NEXT:   %13 = getelementptr inbounds float, ptr %4, i64 %12
// CHECK-NEXT:   %14 = load float, ptr %13, align 4
// CHECK-NEXT:   %15 = sext i32 %9 to i64
// CHECK-NEXT:   %16 = mul nsw i64 %15, 1
// CHECK-NEXT:   %17 = add nsw i64 0, %16
// CHECK-NEXT:   %18 = getelementptr inbounds float, ptr %3, i64 %17
// CHECK-NEXT:   store float %14, ptr %18, align 4
// CHECK-NEXT:   %19 = add nuw nsw i64 %i1, 1
// CHECK-NEXT:   %20 = icmp slt i64 %19, %5
// CHECK-NEXT:   br i1 %20, label %i, label %i.end
// CHECK-EMPTY:
// CHECK-NEXT: i.end:
// CHECK-NEXT:   %21 = load i32, ptr %status, align 4
// CHECK-NEXT:   ret i32 %21
// CHECK-NEXT: }
// CHECK-NEXT: define internal i32 @f.body.i.task(ptr %0, i64 %1, i64 %2) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %3 = getelementptr inbounds { ptr, ptr, ptr }, ptr %0, i32 0, i32 0
// CHECK-NEXT:   %4 = load ptr, ptr %3, align 8
// CHECK-NEXT:   %5 = getelementptr inbounds { ptr, ptr, ptr }, ptr %0, i32 0, i32 1
// CHECK-NEXT:   %6 = load ptr, ptr %5, align 8
// CHECK-NEXT:   %7 = getelementptr inbounds { ptr, ptr, ptr }, ptr %0, i32 0, i32 2
// CHECK-NEXT:   %8 = load ptr, ptr %7, align 8
// CHECK-NEXT:   %9 = call i32 @f.body.i(i64 %1, i64 %2, ptr %4, ptr %6, ptr %8)
// CHECK-NEXT:   ret i32 %9
// CHECK-NEXT: }
IR_CASE(parallel_loops_are_functions) {
  return generated({b, c}, loop(ForKind::kParallel, i, 64, store(c, {i}, load(b, {i}))));
}

// CHECK-LABEL: == bytes_are_multiplied_four_at_a_time
// CHECK-NEXT: define internal void @f.body(ptr noalias nocapture readonly align 4 %X, ptr noalias nocapture align 4 %Y, ptr %0, ptr %1) {
// CHECK-NEXT: entry:
// CHECK-NEXT:   %2 = getelementptr inbounds i32, ptr %Y, i64 0
// CHECK-NEXT:   %3 = load <8 x i32>, ptr %2, align 4
// CHECK-NEXT:   %4 = getelementptr inbounds i32, ptr %X, i64 0
// CHECK-NEXT:   %5 = load i32, ptr %4, align 4
// CHECK-NEXT:   %6 = getelementptr inbounds i32, ptr %X, i64 0
// CHECK-NEXT:   %7 = load <8 x i32>, ptr %6, align 4
// CHECK-NEXT:   %.splatinsert = insertelement <8 x i32> poison, i32 %5, i64 0
// CHECK-NEXT:   %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
// CHECK-NEXT:   %8 = bitcast <8 x i32> %.splat to <16 x i16>
// CHECK-NEXT:   %9 = bitcast <8 x i32> %7 to <16 x i16>
// CHECK-NEXT:   %10 = ashr <16 x i16> %8, <i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8>
// CHECK-NEXT:   %11 = ashr <16 x i16> %9, <i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8>
// CHECK-NEXT:   %12 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %10, <16 x i16> %11)
// CHECK-NEXT:   %13 = shl <16 x i16> %8, <i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8>
// CHECK-NEXT:   %14 = shl <16 x i16> %9, <i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8>
// CHECK-NEXT:   %15 = ashr <16 x i16> %13, <i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8>
// CHECK-NEXT:   %16 = ashr <16 x i16> %14, <i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8, i16 8>
// CHECK-NEXT:   %17 = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %15, <16 x i16> %16)
// CHECK-NEXT:   %18 = add <8 x i32> %12, %17
// CHECK-NEXT:   %19 = add <8 x i32> %3, %18
// CHECK-NEXT:   %20 = getelementptr inbounds i32, ptr %Y, i64 0
// CHECK-NEXT:   store <8 x i32> %19, ptr %20, align 4
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
IR_CASE(bytes_are_multiplied_four_at_a_time) {
  const Buffer x = make_buffer("X", {8}, kInt32), y = make_buffer("Y", {8}, kInt32);
  const Expr product = call(kDot4, {load(x, {0}), load(x, {i})});
  return generated({x, y}, loop(ForKind::kVectorized, i, 8, store(y, {i}, load(y, {i}) + product)));
}
