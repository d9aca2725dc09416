// What the VTA's target refuses, in the user's words and before any code is made.
#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/ops/conv2d/vta_conv2d.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "compiler/te/te.h"
#include "tests/compiler/filecheck/functions.h"
#include "tests/compiler/refusals.h"
#include "tests/support/golden.h"

namespace vantage::test::backend_vta_refusal_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

// C = f(A) on `tiles` elements of 16 lanes, A in accumulators.
struct Unary {
  explicit Unary(const std::function<Expr(Expr)>& f, int64_t tiles = 8, DType type = kInt32) {
    const std::vector<Expr> shape = {tiles, 1, 16};
    const te::Tensor a = placeholder(shape, type, "A");
    const te::Tensor made = compute(
        shape, [&](Expr i, Expr r, Expr l) { return f(a(i, r, l)); }, "made");
    const te::Tensor c = compute(
        shape, [&](Expr i, Expr r, Expr l) { return cast(kInt8, made(i, r, l)); }, "C");
    function = create_prim_func({a, c}, "unary");
  }
  // As the VTA would run it.
  Schedule scheduled() const {
    Schedule s(function);
    const auto load = s.cache_read(s.get_block("made"), "A", "vta.acc");
    s.set_scope(s.get_block("made"), "vta.acc");
    s.pragma(s.get_loops(load)[0], "dma_copy");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    return s;
  }
  ir::PrimFunc function;
};

void compiled(const Schedule& s) {
  vta::compile(s.function(), kConfig);
}

void compiled(const std::function<Expr(Expr)>& f) {
  compiled(Unary(f).scheduled());
}

}  // namespace

TEST_CASE("what the VTA refuses", "[golden]") {
  test::Refusals list;
  // Formulas
  list.add("an operation that the ALU lacks", [] { compiled([](Expr x) { return floor_div(x, 3); }); });
  list.add("a constant beyond 16 bits", [] { compiled([](Expr x) { return x + 100000; }); });
  list.add("a choice", [] { compiled([](Expr x) { return if_then_else(x > 0, x, 0); }); });
  list.add("a value needed after it was overwritten", [] { compiled([](Expr x) { return (x + 1) * (x + 2); }); });
  list.add("a subtraction of two tensors", [] {
    const std::vector<Expr> shape = {8, 1, 16};
    const te::Tensor a = placeholder(shape, kInt32, "A"), b = placeholder(shape, kInt32, "B");
    const te::Tensor made = compute(
        shape, [&](Expr i, Expr r, Expr l) { return a(i, r, l) - b(i, r, l); }, "made");
    const te::Tensor c = compute(
        shape, [&](Expr i, Expr r, Expr l) { return cast(kInt8, made(i, r, l)); }, "C");
    Schedule s(create_prim_func({a, b, c}));
    s.set_scope(s.get_block("made"), "vta.acc");
    for (const char* name : {"A", "B"}) {
      const auto load = s.cache_read(s.get_block("made"), name, "vta.acc");
      s.pragma(s.get_loops(load)[0], "dma_copy");
    }
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });
  list.add("lanes that change places", [] {
    const te::Tensor a = placeholder({8, 1, 16}, kInt32, "A");
    const te::Tensor made = compute(
        {8, 1, 16}, [&](Expr i, Expr r, Expr l) { return a(i, r, 15 - l) + 1; }, "made");
    const te::Tensor c = compute(
        {8, 1, 16}, [&](Expr i, Expr r, Expr l) { return cast(kInt8, made(i, r, l)); }, "C");
    Schedule s(create_prim_func({a, c}));
    s.set_scope(s.get_block("made"), "vta.acc");
    s.pragma(s.get_loops(s.cache_read(s.get_block("made"), "A", "vta.acc"))[0], "dma_copy");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });

  // Where things are
  const Unary plus([](Expr x) { return x + 1; });
  list.add("a result in memory of no scope", [&] { compiled(Schedule(plus.function)); });
  list.add("an operand outside of the accumulators", [&] {
    Schedule s(plus.function);
    s.set_scope(s.get_block("made"), "vta.acc");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });
  list.add("a result that no DMA stores", [&] {
    Schedule s(plus.function);
    s.set_scope(s.get_block("made"), "vta.acc");
    s.pragma(s.get_loops(s.cache_read(s.get_block("made"), "A", "vta.acc"))[0], "dma_copy");
    compiled(s);
  });
  list.add("accumulators that are too few", [] { compiled(Unary([](Expr x) { return x + 1; }, 3000).scheduled()); });
  list.add("accumulators that are too few for threads", [] {
    const ops::VtaConv2dTiling tiling{.oc = 4, .h = 28, .w = 14, .threads = 2};
    ops::compile_layer({{1, 64, 56, 56, 64, 3, 3, 1, 1}, {}, tiling}, kConfig);
  });
  list.add("an element of another shape", [] {
    const te::Tensor a = placeholder({8, 2, 8}, kInt32, "A");
    const te::Tensor made = compute(
        {8, 2, 8}, [&](Expr i, Expr r, Expr l) { return a(i, r, l) + 1; }, "made");
    const te::Tensor c = compute(
        {8, 2, 8}, [&](Expr i, Expr r, Expr l) { return cast(kInt8, made(i, r, l)); }, "C");
    Schedule s(create_prim_func({a, c}));
    s.set_scope(s.get_block("made"), "vta.acc");
    compiled(s);
  });
  list.add("a tensor of one dimension", [] {
    const te::Tensor a = placeholder({16}, kInt32, "A");
    const te::Tensor made = compute(
        {16}, [&](Expr i) { return a(i) + 1; }, "made");
    compiled(Schedule(create_prim_func({a, made})));
  });
  list.add("a tensor of another type", [] { compiled(Unary([](Expr x) { return x + 1; }, 8, kInt16).scheduled()); });
  list.add("a size that is a variable", [] {
    const Var n = var("n");
    const te::Tensor a = placeholder({n, 1, 16}, kInt32, "A");
    const te::Tensor c = compute(
        {n, 1, 16}, [&](Expr i, Expr r, Expr l) { return a(i, r, l) + 1; }, "C");
    compiled(Schedule(create_prim_func({a, c})));
  });
  list.add("a number as a parameter", [] {
    const Var x = var("x", kInt32);
    const te::Tensor a = placeholder({8, 1, 16}, kInt32, "A");
    const te::Tensor c = compute(
        {8, 1, 16}, [&](Expr i, Expr r, Expr l) { return a(i, r, l) + x; }, "C");
    compiled(Schedule(create_prim_func({a, x, c})));
  });

  // DMA
  list.add("a copy that computes", [&] {
    Schedule s = plus.scheduled();
    s.pragma(s.get_loops(s.get_block("made"))[0], "dma_copy");
    compiled(s);
  });
  list.add("a copy with something else than zeros around", [] {
    const te::Tensor a = placeholder({6, 1, 16}, kInt32, "A");
    const te::Tensor padded = compute(
        {8, 1, 16}, [&](Expr i, Expr r, Expr l) { return if_then_else(i >= 1 && i < 7, a(i - 1, r, l), 1); }, "padded");
    const te::Tensor c = compute(
        {8, 1, 16}, [&](Expr i, Expr r, Expr l) { return cast(kInt8, padded(i, r, l)); }, "C");
    Schedule s(create_prim_func({a, c}));
    s.set_scope(s.get_block("padded"), "vta.acc");
    s.pragma(s.get_loops(s.get_block("padded"))[0], "dma_copy");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });
  list.add("a copy with more zeros than an instruction holds", [] {
    const te::Tensor a = placeholder({4, 1, 16}, kInt32, "A");
    const te::Tensor padded = compute(
        {24, 1, 16}, [&](Expr i, Expr r, Expr l) { return if_then_else(i >= 20, a(i - 20, r, l), 0); }, "padded");
    const te::Tensor c = compute(
        {24, 1, 16}, [&](Expr i, Expr r, Expr l) { return cast(kInt8, padded(i, r, l)); }, "C");
    Schedule s(create_prim_func({a, c}));
    s.set_scope(s.get_block("padded"), "vta.acc");
    s.pragma(s.get_loops(s.get_block("padded"))[0], "dma_copy");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });
  list.add("a store of zeros", [] {
    const std::vector<Expr> shape = {8, 1, 16};
    const te::Tensor a = placeholder(shape, kInt32, "A");
    const te::Tensor made = compute(
        shape, [&](Expr i, Expr r, Expr l) { return a(i, r, l) + 1; }, "made");
    const te::Tensor c = compute(
        shape, [&](Expr i, Expr r, Expr l) { return if_then_else(i >= 2, cast(kInt8, made(i, r, l)), cast(kInt8, 0)); },
        "C");
    Schedule s(create_prim_func({a, c}));
    s.set_scope(s.get_block("made"), "vta.acc");
    s.pragma(s.get_loops(s.cache_read(s.get_block("made"), "A", "vta.acc"))[0], "dma_copy");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });
  list.add("a copy whose elements do not follow a step", [] {
    const te::Tensor a = placeholder({64, 1, 16}, kInt32, "A");
    const te::Tensor squares = compute(
        {8, 1, 16}, [&](Expr i, Expr r, Expr l) { return a(i * i, r, l); }, "squares");
    const te::Tensor c = compute(
        {8, 1, 16}, [&](Expr i, Expr r, Expr l) { return cast(kInt8, squares(i, r, l)); }, "C");
    Schedule s(create_prim_func({a, c}));
    s.set_scope(s.get_block("squares"), "vta.acc");
    s.pragma(s.get_loops(s.get_block("squares"))[0], "dma_copy");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });
  list.add("zeros in the shape of a triangle", [] {
    const te::Tensor a = placeholder({4, 4, 1, 16}, kInt32, "A");
    const te::Tensor triangle = compute(
        {4, 4, 1, 16}, [&](Expr i, Expr j, Expr r, Expr l) { return if_then_else(i + j < 4, a(i, j, r, l), 0); },
        "triangle");
    const te::Tensor c = compute(
        {4, 4, 1, 16}, [&](Expr i, Expr j, Expr r, Expr l) { return cast(kInt8, triangle(i, j, r, l)); }, "C");
    Schedule s(create_prim_func({a, c}));
    s.set_scope(s.get_block("triangle"), "vta.acc");
    s.pragma(s.get_loops(s.get_block("triangle"))[0], "dma_copy");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });
  list.add("a copy from accumulators to accumulators", [&] {
    Schedule s = plus.scheduled();
    const auto copy = s.cache_write(s.get_block("made"), "vta.acc");
    s.set_scope(s.get_block("made"), "vta.acc");
    s.pragma(s.get_loops(copy)[0], "dma_copy");
    compiled(s);
  });
  list.add("a result that leaves from the wrong scratchpad", [] {
    const te::Tensor a = placeholder({8, 1, 16}, kInt8, "A");
    const te::Tensor c = compute(
        {8, 1, 16}, [&](Expr i, Expr r, Expr l) { return a(i, r, l); }, "C");
    Schedule s(create_prim_func({a, c}));
    s.pragma(s.get_loops(s.cache_read(s.get_block("C"), "A", "vta.inp"))[0], "dma_copy");
    s.pragma(s.get_loops(s.get_block("C"))[0], "dma_copy");
    compiled(s);
  });

  list.add("a function of the user's for all of a tensor", [&] {
    const te::Tensor a = placeholder({8, 1, 16}, kInt32, "A");
    Schedule s(create_prim_func({a, te::external({8, 1, 16}, kInt32, {a}, "sort", "sorted")}));
    compiled(s);
  });
  list.add("a function of the user's for an element", [&] {
    compiled(Unary([](Expr x) { return ir::call_pure_extern(kInt32, "my_relu", {std::move(x)}); }).scheduled());
  });

  // Threads
  list.add("threads of a GPU", [&] {
    Schedule s = plus.scheduled();
    s.bind(s.get_loops(s.get_block("made"))[0], "threadIdx.x");
    compiled(s);
  });

  list.add("virtual threads inside of virtual threads", [&] {
    Schedule s(plus.function);
    const auto made = s.get_block("made");
    const auto load = s.cache_read(made, "A", "vta.acc");
    s.set_scope(made, "vta.acc");
    const auto parts = s.split(s.get_loops(s.get_block("C"))[0], {2, 2, std::nullopt});
    s.bind(parts[0], "vthread");
    s.bind(parts[1], "vthread");
    s.compute_at(made, parts[1]);
    s.compute_at(load, parts[1]);
    s.pragma(s.get_loops(load)[2], "dma_copy");
    s.pragma(parts[2], "dma_copy");
    compiled(s);
  });

  // tensorize
  const auto ordered = [](Schedule& s) {
    const auto loops = s.get_loops(s.get_block("sums"));
    s.reorder({loops[4], loops[2], loops[3], loops[5]});
    return loops;
  };
  list.add("tensorize of a whole reduction", [&] {
    Schedule s(test::tiled_matmul(kConfig), vta::intrinsics(kConfig));
    s.tensorize(s.get_loops(s.get_block("sums"))[0], "vta.gemm");
  });
  list.add("tensorize outside of the scratchpads", [&] {
    Schedule s(test::tiled_matmul(kConfig), vta::intrinsics(kConfig));
    const auto loops = ordered(s);
    s.decompose_reduction(s.get_block("sums"), loops[4]);
    s.tensorize(loops[2], "vta.gemm");
  });
  list.add("tensorize of other loops", [&] {
    Schedule s(test::tiled_matmul(kConfig), vta::intrinsics(kConfig));
    const auto loops = ordered(s);
    s.decompose_reduction(s.get_block("sums"), loops[4]);
    s.tensorize(loops[5], "vta.gemm");
  });
  list.add("tensorize by what there is not", [&] {
    Schedule s(test::tiled_matmul(kConfig), vta::intrinsics(kConfig));
    s.tensorize(s.get_loops(s.get_block("sums"))[2], "vta.conv");
  });

  // Layers
  list.add("a layer without channels", [] { ops::vta_conv2d({.in_channels = 0}, {}, kConfig); });
  list.add("a kernel larger than its input",
           [] { ops::vta_conv2d({.height = 2, .width = 2, .kernel_h = 3, .kernel_w = 3}, {}, kConfig); });
  list.add("limits that hold nothing", [] { ops::vta_conv2d({}, {.clip_min = 5, .clip_max = 4}, kConfig); });
  list.add("a limit beyond 16 bits", [] { ops::vta_conv2d({}, {.clip_max = 40000}, kConfig); });
  list.add("a shift beyond 31", [] { ops::vta_conv2d({}, {.shift = 32}, kConfig); });
  list.add("tiles that do not fit", [] {
    ops::map_vta_conv2d({1, 64, 56, 56, 64, 3, 3, 1, 1}, {}, kConfig, {.oc = 4, .h = 56, .w = 56});
  });
  const auto elementwise = [](ops::Elementwise layer) { ops::elementwise(layer, kConfig); };
  list.add("an elementwise shift by a tensor", [&] {
    elementwise({.operands = 2, .steps = {{isa::AluOp::kShr, 0, 1}}});
  });
  list.add("an elementwise layer of nothing",
           [&] { elementwise(ops::combination(0, isa::AluOp::kAdd, std::nullopt, 0, 0, 127)); });
  list.add("an elementwise layer without steps", [&] { elementwise({}); });
  list.add("an elementwise layer of three operands", [&] { elementwise({.operands = 3}); });
  list.add("a step with what comes behind it", [&] { elementwise({.steps = {{isa::AluOp::kAdd, 1, 0}}}); });
  list.add("a step that nobody needs", [&] {
    elementwise({.steps = {{isa::AluOp::kAdd, 0, {}, 1}, {isa::AluOp::kAdd, 0, {}, 2}}});
  });
  list.add("a step with a constant beyond 16 bits", [&] {
    elementwise({.steps = {{isa::AluOp::kMul, 0, {}, 40000}}});
  });
  const std::string difference = test::compare_golden("refusals_vta.txt", list.text());
  if (!difference.empty()) FAIL(difference);
}

}  // namespace vantage::test::backend_vta_refusal_test
