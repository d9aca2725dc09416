// What each primitive refuses, in the user's names; the function is then as it was.
#include "base/json.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"

namespace vantage::test::compiler_schedule_refusal_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

// Y = A . B, C = max(Y, 0)
ir::PrimFunc matmul_relu(int64_t m = 8, int64_t n = 8, int64_t depth = 8) {
  const te::Tensor a = placeholder({m, depth}, kInt32, "A"), b = placeholder({depth, n}, kInt32, "B");
  const ReduceAxis k = reduce_axis(depth, "k");
  const te::Tensor y = compute(
      {m, n}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "Y");
  const te::Tensor c = compute(
      {m, n}, [&](Expr i, Expr j) { return max(y(i, j), 0); }, "C");
  return create_prim_func({a, b, c}, "f");
}

ir::PrimFunc recurrence() {
  const te::Tensor x = placeholder({8, 6}, kInt32, "X"), state = placeholder({8, 6}, kInt32, "state");
  const te::Tensor init = compute(
      {1, 6}, [&](Expr, Expr j) { return x(0, j); }, "init");
  const te::Tensor update = compute(
      {8, 6}, [&](Expr t, Expr j) { return state(t - 1, if_then_else(j > 0, j - 1, 0)) + x(t, j); }, "update");
  return create_prim_func({x, scan(init, update, state, "S")}, "f");
}

// Does a step that must be refused, and checks that nothing happened.
template <typename Step>
std::string refused(Schedule& s, const Step& step) {
  const std::string before = to_text(s.function());
  const size_t steps = s.trace().size();
  const std::string message = ERROR_OF(step());
  CHECK(to_text(s.function()) == before);
  CHECK(s.trace().size() == steps);
  CHECK(message.find('\n') == std::string::npos);
  return message;
}

}  // namespace

TEST_CASE("finding blocks and loops", "[unit]") {
  Schedule s(matmul_relu());
  CHECK(refused(s, [&] { s.get_block("Z"); }) == "the function f has no block 'Z'; its blocks are Y, C");
  const auto loop = s.get_loops(s.get_block("C"))[0];
  s.split(loop, {2, 4});
  CHECK(refused(s, [&] {
          s.split(loop, {2, 4});
        }) == "the loop i is no longer there: a later step split, fused or removed it");
  CHECK(refused(s, [&] { s.parallel(schedule::LoopRV{99}); }) == "this is no loop of this schedule");
  CHECK(refused(s, [&] { s.get_loops(schedule::BlockRV{99}); }) == "this is no block of this schedule");
}

TEST_CASE("split", "[unit]") {
  Schedule s(matmul_relu());
  const auto i = s.get_loops(s.get_block("C"))[0];
  CHECK(refused(s, [&] { s.split(i, {3}); }) == "split: the loop i needs at least two factors, got 1");
  CHECK(refused(s, [&] {
          s.split(i, {std::nullopt, std::nullopt});
        }) == "split: the loop i can have one factor left open, not several");
  CHECK(refused(s, [&] {
          s.split(i, {0, std::nullopt});
        }) == "split: the loop i has the factor 0, expected at least 1");
  CHECK(refused(s, [&] {
          s.split(i, {2, 3});
        }) == "split: the loop i has 8 iterations, its factors make 6; leave one open or make them larger");
  s.parallel(i);
  CHECK(refused(s, [&] { s.split(i, {2, 4}); }) == "split: the loop i is bound or annotated; split it before");
}

TEST_CASE("fuse and reorder", "[unit]") {
  Schedule s(matmul_relu());
  const auto y = s.get_loops(s.get_block("Y")), c = s.get_loops(s.get_block("C"));
  CHECK(refused(s, [&] { s.fuse({y[0]}); }) == "fuse: expected at least two loops, got 1");
  CHECK(refused(s, [&] {
          s.fuse({y[0], y[2]});
        }) == "fuse: the loop k does not stand directly inside i; reorder first");
  CHECK(refused(s, [&] { s.reorder({y[0]}); }) == "reorder: expected at least two loops, got 1");
  CHECK(refused(s, [&] { s.reorder({y[0], y[0]}); }) == "reorder: the loop i is given twice");
  CHECK(refused(s, [&] { s.reorder({y[0], c[0]}); }) == "reorder: the loops i and i do not stand inside one another");

  Schedule r(recurrence());
  const auto loops = r.get_loops(r.get_block("update"));
  CHECK(refused(r, [&] {
          r.reorder({loops[1], loops[0]});
        }) == "reorder: the block update needs earlier steps of the loop i, which must keep its order with j");
  CHECK(refused(r, [&] { r.parallel(loops[0]); }) ==
        "parallel: the loop i carries the steps of the block update, which need earlier ones");
}

TEST_CASE("parts of a loop that counts results and steps of their sums keep their order", "[unit]") {
  // Of (Y's rows, k) as one loop of 6, 3 at a time, the second row's first step would come behind its second one.
  const auto parts_of = [](Schedule& s, int64_t part) {
    const auto y = s.get_loops(s.get_block("Y"));
    s.reorder({y[1], y[0], y[2]});
    return s.split(s.fuse({y[0], y[2]}), {std::nullopt, part});
  };
  Schedule s(matmul_relu(3, 8, 2));
  const auto parts = parts_of(s, 3);
  CHECK(refused(s,
                [&] {
                  s.reorder({parts[1], parts[0]});
                }) ==
        "reorder: the loops i_k_fused_1 and i_k_fused_0 count results and steps of the sum of the block Y, which "
        "must begin with its first step; decompose_reduction it first");
  // The sums begin elsewhere; or parts are whole sums.
  s.decompose_reduction(s.get_block("Y"), parts[0]);
  s.reorder({parts[1], parts[0]});
  Schedule whole(matmul_relu(4, 8, 2));
  const auto pairs = parts_of(whole, 4);
  whole.reorder({pairs[1], pairs[0]});
}

TEST_CASE("loops that run at once", "[unit]") {
  Schedule s(matmul_relu());
  const auto y = s.get_loops(s.get_block("Y"));
  const char* const kWhy =
      "the loop k carries the reduction of the block Y, which cannot run at once; rfactor it first";
  CHECK(refused(s, [&] { s.parallel(y[2]); }) == fmt::format("parallel: {}", kWhy));
  CHECK(refused(s, [&] { s.vectorize(y[2]); }) == fmt::format("vectorize: {}", kWhy));
  CHECK(refused(s, [&] { s.bind(y[2], "threadIdx.x"); }) == fmt::format("bind: {}", kWhy));
  CHECK(refused(s, [&] { s.bind(y[2], "vthread"); }) == fmt::format("bind: {}", kWhy));
  CHECK_THAT(refused(s, [&] { s.bind(y[0], "threadIdx.q"); }),
             ContainsSubstring("bind: the loop i cannot be bound to 'threadIdx.q'; expected blockIdx.x"));
  Schedule threads(matmul_relu());
  const auto t = threads.get_loops(threads.get_block("Y")), c = threads.get_loops(threads.get_block("C"));
  threads.bind(t[1], "threadIdx.x");
  const auto nested = [](const std::string& primitive, const std::string& inner, const std::string& outer) {
    return fmt::format(
        "{}: the loop {} stands inside of the loop {}, and both are bound to threadIdx.x; fuse the two, or bind one to "
        "another axis; only what fills shared memory, alike in all iterations of the outer loop, is shared out among "
        "its threads",
        primitive, inner, outer);
  };
  CHECK(refused(threads, [&] { threads.bind(t[0], "threadIdx.x"); }) == nested("bind", "j", "i"));
  threads.bind(t[0], "threadIdx.y");
  threads.bind(c[0], "threadIdx.x");
  CHECK(refused(threads, [&] { threads.bind(c[1], "threadIdx.x"); }) == nested("bind", "j", "i"));
  // Threads may fetch together, as long as it is into shared memory.
  Schedule fetching(matmul_relu());
  const auto rows = fetching.get_loops(fetching.get_block("Y"));
  fetching.bind(rows[0], "threadIdx.x");
  const auto cached = fetching.cache_read(fetching.get_block("Y"), "B", "shared");
  fetching.compute_at(cached, rows[1]);
  fetching.bind(fetching.get_loops(cached)[2], "threadIdx.x");
  CHECK(refused(fetching, [&] { fetching.set_scope(cached, "local"); }) == nested("set_scope", "ax0", "i"));
  s.parallel(y[0]);
  CHECK(refused(s, [&] { s.unroll(y[0]); }) == "unroll: the loop i is already bound, parallel, vectorized or unrolled");
  const Var n = var("n");
  const te::Tensor a = placeholder({n}, kInt32, "A");
  Schedule symbolic(create_prim_func({a, compute(
                                             {n}, [&](Expr i) { return a(i) + 1; }, "B")}));
  const auto loop = symbolic.get_loops(symbolic.get_block("B"))[0];
  CHECK(refused(symbolic, [&] { symbolic.vectorize(loop); }) ==
        "vectorize: the loop i has no constant number of iterations; split it first");
}

TEST_CASE("compute_at and reverse_compute_at", "[unit]") {
  Schedule s(matmul_relu());
  const auto y = s.get_block("Y"), c = s.get_block("C");
  const auto y_loops = s.get_loops(y), c_loops = s.get_loops(c);
  CHECK(refused(s, [&] { s.compute_at(c, y_loops[0]); }) ==
        "compute_at: the block C makes C, which the caller wants whole; move what reads it with reverse_compute_at");
  CHECK(refused(s, [&] { s.compute_at(y, y_loops[0]); }) == "compute_at: the block Y is already inside the loop i");
  CHECK(refused(s, [&] { s.reverse_compute_at(y, c_loops[0]); }) ==
        "reverse_compute_at: the block Y reduces; only a block whose axes are all spatial can move");
  CHECK(refused(s, [&] { s.reverse_compute_at(c, y_loops[2]); }) ==
        "reverse_compute_at: the reduction of the block Y runs over the loop k and is not complete inside k");
}

TEST_CASE("inlining", "[unit]") {
  Schedule s(matmul_relu());
  const auto y = s.get_block("Y"), c = s.get_block("C");
  CHECK(refused(s, [&] { s.compute_inline(y); }) ==
        "compute_inline: the block Y is no formula of one element; reductions and blocks of several statements stay");
  CHECK(refused(s, [&] { s.compute_inline(c); }) == "compute_inline: the block C makes C, which the caller wants");
  CHECK(refused(s, [&] { s.reverse_compute_inline(c); }) ==
        "reverse_compute_inline: the block Y is no formula of one element; reductions and blocks of several statements "
        "stay");
}

TEST_CASE("caching and scopes", "[unit]") {
  Schedule s(matmul_relu());
  const auto y = s.get_block("Y"), c = s.get_block("C");
  CHECK(refused(s, [&] { s.cache_read(y, "C", "local"); }) == "cache_read: the block Y does not read C; it reads A, B");
  CHECK(refused(s, [&] { s.set_scope(c, "local"); }) ==
        "set_scope: C belongs to the caller and stays where it is; cache_write the block C");
  CHECK(refused(s, [&] { s.storage_align(c, 0, 8, 0); }) ==
        "storage_align: C belongs to the caller, who decides how it lies in memory");
  CHECK(refused(s, [&] { s.storage_align(y, 5, 8, 0); }) == "storage_align: Y has 2 dimensions, there is no 5");
  CHECK(refused(s, [&] { s.double_buffer(y, 1); }) == "double_buffer: Y is to have 1 places, expected 2 to 64");
  CHECK(refused(s, [&] { s.double_buffer(c); }) ==
        "double_buffer: C belongs to the caller, who decides how it lies in memory");
}

TEST_CASE("names that nobody knows", "[unit]") {
  Schedule s(matmul_relu());
  const auto y = s.get_block("Y"), c = s.get_block("C");
  const auto loop = s.get_loops(c)[0];
  CHECK(refused(s, [&] { s.set_scope(y, "lcoal"); }) ==
        "set_scope: no target has a memory 'lcoal'; did you mean 'local'?");
  CHECK(refused(s, [&] { s.cache_read(y, "A", "vta.imp"); }) ==
        "cache_read: no target has a memory 'vta.imp'; did you mean 'vta.inp'?");
  CHECK(refused(s, [&] { s.cache_write(y, "registers"); }) ==
        "cache_write: no target has a memory 'registers'; known: global, shared, shared.swizzled, warp, "
        "warpgroup, local, vta.inp, vta.wgt, vta.acc");
  CHECK(refused(s, [&] { s.pragma(loop, "dma_cpy"); }) == "pragma: no pass knows 'dma_cpy'; did you mean 'dma_copy'?");
  CHECK(
      refused(s, [&] { s.annotate(c, "doublebuffer", 1); }) ==
      "annotate: no pass reads 'doublebuffer', and it is no note of your own, which begins with 'user.'; did you mean "
      "'double_buffer'?");
  s.annotate(c, "user.anything", 1);
}

TEST_CASE("reductions", "[unit]") {
  Schedule s(matmul_relu());
  const auto y = s.get_block("Y"), c = s.get_block("C");
  const auto y_loops = s.get_loops(y), c_loops = s.get_loops(c);
  CHECK(refused(s, [&] { s.decompose_reduction(c, c_loops[0]); }) ==
        "decompose_reduction: the block C has no initialisation of its own");
  CHECK(refused(s, [&] { s.decompose_reduction(y, c_loops[0]); }) ==
        "decompose_reduction: the loop i is not around the block Y");
  s.reorder({y_loops[2], y_loops[0]});
  CHECK(refused(s, [&] { s.decompose_reduction(y, y_loops[0]); }) ==
        "decompose_reduction: the loop k of the reduction stands outside of i, so Y would be set back inside it");
  CHECK(refused(s, [&] { s.rfactor(y_loops[0], 0); }) == "rfactor: the loop i carries no reduction of the block Y");
  CHECK(refused(s, [&] { s.rfactor(y_loops[2], 7); }) == "rfactor: the axis 7 is not one of the 3 of the factored Y");
}

TEST_CASE("initial values that are not there yet", "[unit]") {
  const te::Tensor a = placeholder({8, 8}, kInt32, "A"), b = placeholder({8}, kInt32, "B");
  const ReduceAxis k = reduce_axis(8, "k");
  const te::Tensor y = compute(
      {8}, [&](Expr i) { return starting_from(b(i), sum(a(i, k), {k})); }, "Y");
  Schedule s(create_prim_func({a, b, y}, "f"));
  const auto block = s.get_block("Y");
  const auto loops = s.get_loops(block);
  s.compute_at(s.cache_read(block, "B", "shared"), loops[0]);
  CHECK(refused(s, [&] { s.decompose_reduction(block, loops[0]); }) ==
        "decompose_reduction: the initial values of Y read B_shared, which the block B_shared fills inside the loop i; "
        "take a loop inside, or fill it before");
  s.decompose_reduction(block, loops[1]);
}

TEST_CASE("instructions", "[unit]") {
  Schedule s(matmul_relu());
  const auto loops = s.get_loops(s.get_block("Y"));
  CHECK(refused(s, [&] { s.tensorize(loops[0], "none"); }) ==
        "tensorize: this schedule was given no intrinsics, so there is no 'none'");
  const auto parts = s.split(loops[0], {std::nullopt, 3});
  CHECK(refused(s, [&] { s.blockize(parts[1]); }) ==
        "blockize: the block Y does not fill the loop i_1: 'i_0 * 3 + i_1 < 8' may not hold; split without a "
        "rest");
}

TEST_CASE("traces that are none", "[unit]") {
  const auto replayed = [](const std::string& text) {
    Schedule s(matmul_relu());
    return ERROR_OF(s.replay(schedule::trace_from_json(parse_json(text, "trace"))));
  };
  const std::string begin = R"([{"primitive":"get_block","arguments":["Y"],"result":{"block":0}},)"
                            R"({"primitive":"get_loops","arguments":[{"block":0}],"result":{"loops":[0,1,2]}},)";
  CHECK(replayed("{}") == "a trace is {}, expected an array of steps");
  CHECK(replayed(R"([{"primitive":"melt","arguments":[]}])") ==
        "step 0 of the trace, melt: there is no schedule primitive 'melt'");
  CHECK(replayed(begin + R"({"primitive":"pragma","arguments":[{"loop":0},"dma_copy"]}])") ==
        "step 2 of the trace, pragma: 2 arguments are too few");
  CHECK(replayed(begin + R"({"primitive":"split","arguments":[{"block":0},[2,4]]}])") ==
        "step 2 of the trace, split: argument 0 is of the wrong kind");
  CHECK(replayed(begin + R"({"primitive":"split","arguments":[{"loop":0},[2,3]]}])") ==
        "step 2 of the trace, split: split: the loop i has 8 iterations, its factors make 6; leave one open or make "
        "them larger");
  CHECK(replayed(begin + R"({"primitive":"parallel","arguments":[{"loop":9}]}])") ==
        "step 2 of the trace, parallel: this is no loop of this schedule");
  CHECK_THAT(replayed(R"([{"primitive":"split","arguments":[{"loop":0},[null,2.5]]}])"),
             ContainsSubstring("a factor is 2.5, expected an integer, a drawn number or null"));
}

}  // namespace vantage::test::compiler_schedule_refusal_test
