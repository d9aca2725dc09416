// Schedules of functions with blocks that are not formulas (compiler/te/external.h): they are taken as a whole.
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"

namespace vantage::test::compiler_schedule_external_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

// Sums of neighbours, of the rows and columns that the boxes have.
void blur(ir::ExternCall& call) {
  const ir::ExternView &in = call.view(0), &out = call.view(1);
  const int64_t rows = out.extents()[0], columns = out.extents()[1];
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) out.set({i, j}, {.i = in.get({i, j}).i + in.get({i, columns - 1 - j}).i});
  }
}

// more = X + 1, named = blur(more), written: named by other rows, Y = written * 2.
ir::PrimFunc function() {
  const te::Tensor x = placeholder({8, 4}, kInt32, "X");
  const te::Tensor more = (x + 1).named("more");
  const te::Tensor named = external({8, 4}, kInt32, {more}, "blur", "named");
  const te::Tensor written = external(
      {8, 4}, kInt32, {named},
      [](const Buffers& in, const Buffers& out) {
        const Var i("i"), j("j");
        return ir::loop(i, 8, ir::loop(j, 4, ir::store(out[0], {7 - i, j}, ir::load(in[0], {i, j}))));
      },
      "written");
  return create_prim_func({x, (written * 2).named("Y")}, "f");
}

vantage::Tensor run(const ir::PrimFunc& f) {
  std::mt19937_64 random(1);
  vantage::Tensor x(kInt32, {8, 4}), y(kInt32, {8, 4});
  fill(x, random, -99, 99);
  ir::interpret(f, {&x, &y}, {.externs = {{"blur", blur}}});
  return y;
}

void check(const std::function<void(Schedule&)>& transform) {
  const ir::PrimFunc before = function();
  Schedule s(before);
  transform(s);
  INFO(to_text(s.function()));
  CHECK(run(s.function()) == run(before));
}

std::string error(const std::function<void(Schedule&)>& transform) {
  Schedule s(function());
  return ERROR_OF(transform(s));
}

}  // namespace

TEST_CASE("what an external reads and writes can be cached and placed", "[unit]") {
  for (const auto& [block, input] : {std::pair("named", "more"), {"written", "named"}}) {
    INFO(block);
    check([&](Schedule& s) { s.cache_read(s.get_block(block), input, "shared"); });
    check([&](Schedule& s) { s.cache_write(s.get_block(block), "shared"); });
    check([&](Schedule& s) { s.set_scope(s.get_block(block), "shared"); });
    check([&](Schedule& s) { s.storage_align(s.get_block(block), 0, 8, 1); });
  }
  // What is around them is scheduled as ever, copies for them as well.
  check([](Schedule& s) {
    const auto loops = s.get_loops(s.get_block("more"));
    s.reorder({s.split_by_factor(loops[0], 3)[1], loops[1]});
    s.fuse(s.get_loops(s.cache_read(s.get_block("named"), "more", "shared")));
    s.vectorize(s.get_loops(s.cache_write(s.get_block("written"), "shared"))[1]);
    s.parallel(s.get_loops(s.get_block("Y"))[0]);
  });
}

TEST_CASE("an external moves into a loop as a whole, and what it reads follows", "[unit]") {
  const te::Tensor x = placeholder({8, 4}, kInt32, "X");
  const te::Tensor more = (x + 1).named("more");
  const te::Tensor named = external({8, 4}, kInt32, {more}, "blur", "named");
  const ir::PrimFunc before = create_prim_func({x, (named * 2).named("Y")}, "f");
  Schedule s(before);
  s.compute_at(s.get_block("named"), s.get_loops(s.get_block("Y"))[0]);
  CHECK_THAT(to_text(s.function()), ContainsSubstring(R"(    for i_1 in range(8):
        with T.block("named"):
            T.reads(more[0:8, 0:4])
            T.writes(named[0:8, 0:4])
            T.call_extern("blur", T.reads(more[0:8, 0:4]), T.writes(named[0:8, 0:4]))
)"));
  CHECK(run(s.function()) == run(before));
  // All of what it reads is made before it, in each of these iterations.
  s.compute_at(s.get_block("more"), s.get_loops(s.get_block("Y"))[0]);
  CHECK(run(s.function()) == run(before));
}

TEST_CASE("what a schedule cannot do with an external is refused", "[unit]") {
  CHECK(error([](Schedule& s) { s.compute_inline(s.get_block("named")); }) ==
        "compute_inline: the block named is no formula of one element; reductions and blocks of several statements "
        "stay");
  CHECK(error([](Schedule& s) { s.compute_inline(s.get_block("more")); }) ==
        "compute_inline: an instruction reads more, which must therefore be in memory");
  CHECK(error([](Schedule& s) { s.reverse_compute_inline(s.get_block("Y")); }) ==
        "reverse_compute_inline: the block written is no formula of one element; reductions and blocks of several "
        "statements stay");
  CHECK(error([](Schedule& s) { s.reverse_compute_at(s.get_block("named"), s.get_loops(s.get_block("more"))[0]); }) ==
        "reverse_compute_at: the block named reads more at several places");
  CHECK(error([](Schedule& s) { s.compute_at(s.get_block("written"), s.get_loops(s.get_block("Y"))[0]); }) ==
        "compute_at: the block written writes written at '7 - i', expected an axis of its own for each dimension");
  Schedule s(function());
  CHECK(s.get_loops(s.get_block("named")).empty());
}

}  // namespace vantage::test::compiler_schedule_external_test
