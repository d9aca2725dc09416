// What guards a block guards what is moved beside it, too.
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"

namespace vantage::test::compiler_schedule_guards_test {

using namespace vantage;
using namespace vantage::schedule;

namespace {

// C = 2 * (A + 1), B between the two.
ir::PrimFunc chain(int64_t size) {
  const te::Tensor a = te::placeholder({size}, ir::kInt32, "A");
  const te::Tensor b = te::compute(
      {size}, [&](const ir::Expr& i) { return a(i) + 1; }, "B");
  const te::Tensor c = te::compute(
      {size}, [&](const ir::Expr& i) { return b(i) * 2; }, "C");
  return te::create_prim_func({a, c}, "chain");
}

}  // namespace

TEST_CASE("where a condition keeps places from being read, what is moved reads none either", "[unit]") {
  // B = A + 1, then those of its elements that P names: which, is to be read for the last three elements alone.
  const te::Tensor a = te::placeholder({4}, ir::kInt32, "A"), p = te::placeholder({3}, ir::kInt32, "P");
  const te::Tensor b = te::compute(
      {4}, [&](const ir::Expr& i) { return a(i) + 1; }, "B");
  const te::Tensor c = te::compute(
      {7}, [&](const ir::Expr& i) { return if_then_else(i < 4, b(i), b(floor_mod(p(i - 4), 4))); }, "C");
  const ir::PrimFunc function = te::create_prim_func({a, p, c}, "behind");
  Schedule s(function);
  s.compute_at(s.get_block("B"), s.get_loops(s.get_block("C"))[0]);
  INFO(ir::to_text(s.function()));
  CHECK(ir::verify(s.function()).empty());
  std::mt19937_64 random(1);
  const auto arrays = test::random_arrays(function, random);
  CHECK(test::first_difference(function, test::run(function, arrays, {}), test::run(s.function(), arrays, {})) == "");
}

TEST_CASE("a guard of a loop comes before bindings and predicates that read memory", "[unit]") {
  // C[i] = B[P[i]], where P may name places from the end, too.
  const te::Tensor a = te::placeholder({4}, ir::kInt32, "A"), p = te::placeholder({10}, ir::kInt32, "P");
  const te::Tensor b = te::compute(
      {4}, [&](const ir::Expr& i) { return a(i) + 1; }, "B");
  const te::Tensor c = te::compute(
      {10},
      [&](const ir::Expr& i) {
        const ir::Expr place = max(min(p(i), 3), -4);
        return b(if_then_else(place < 0, place + 4, place));
      },
      "C");
  const ir::PrimFunc function = te::create_prim_func({a, p, c}, "picked");
  Schedule s(function);
  const LoopRV row = s.get_loops(s.get_block("C"))[0];
  s.compute_at(s.get_block("B"), row);
  s.split_by_factor(row, 8);
  INFO(ir::to_text(s.function()));
  CHECK(ir::verify(s.function()).empty());
  std::mt19937_64 random(1);
  const auto arrays = test::random_arrays(function, random);
  CHECK(test::first_difference(function, test::run(function, arrays, {}), test::run(s.function(), arrays, {})) == "");
}

TEST_CASE("a consumer stays out of iterations in which its producer does nothing", "[unit]") {
  std::mt19937_64 random(1);
  // Of the outer loop's iterations, the last ones, or parts of them, are beyond the end.
  for (const auto& [size, outer, inner] : {std::tuple{1, 2, 1}, {3, 4, 2}, {5, 4, 2}, {7, 3, 3}, {2, 5, 3}}) {
    const ir::PrimFunc function = chain(size);
    const auto arrays = test::random_arrays(function, random);
    Schedule s(function);
    const auto loops = s.split(s.get_loops(s.get_block("B"))[0], {outer, inner});
    for (const LoopRV loop : {loops[0], loops[1]}) {
      Schedule moved = s;
      moved.reverse_compute_at(moved.get_block("C"), loop);
      INFO(ir::to_text(moved.function()));
      CHECK(test::first_difference(function, test::run(function, arrays, {}),
                                   test::run(moved.function(), arrays, {})) == "");
    }
  }
}

TEST_CASE("a consumer takes no more than its producer makes in an iteration", "[unit]") {
  std::mt19937_64 random(1);
  // Of parts of 3, the second half of the second pair belongs to the next part.
  for (const auto& [part, inner] : {std::pair{3, 2}, {5, 2}, {5, 3}, {4, 3}}) {
    const ir::PrimFunc function = chain(9);
    const auto arrays = test::random_arrays(function, random);
    Schedule s(function);
    const auto parts = s.split(s.get_loops(s.get_block("B"))[0], {std::nullopt, part});
    const auto pairs = s.split(parts[1], {std::nullopt, inner});
    s.reverse_compute_at(s.get_block("C"), pairs[0]);
    INFO(ir::to_text(s.function()));
    CHECK(test::first_difference(function, test::run(function, arrays, {}), test::run(s.function(), arrays, {})) == "");
  }
}

TEST_CASE("a consumer takes the elements between those of an iteration from no iteration", "[unit]") {
  std::mt19937_64 random(1);
  for (const int64_t stride : {2, 3, 4}) {
    const ir::PrimFunc function = chain(12);
    const auto arrays = test::random_arrays(function, random);
    Schedule s(function);
    // B by every second element, in two rounds.
    const auto parts = s.split(s.get_loops(s.get_block("B"))[0], {std::nullopt, stride});
    s.reorder({parts[1], parts[0]});
    s.reverse_compute_at(s.get_block("C"), parts[1]);
    INFO(ir::to_text(s.function()));
    CHECK(test::first_difference(function, test::run(function, arrays, {}), test::run(s.function(), arrays, {})) == "");
  }
}

TEST_CASE("guards of a part of an index", "[unit]") {
  std::mt19937_64 random(1);
  for (const auto& [size, parts] : {std::pair{2, 2}, {4, 2}, {5, 3}, {7, 5}}) {
    const ir::PrimFunc function = chain(size);
    const auto arrays = test::random_arrays(function, random);
    Schedule s(function);
    // The outer loop has one iteration too many, or two; each makes several elements.
    const auto halves = s.split(s.get_loops(s.get_block("B"))[0], {std::nullopt, 2});
    const auto outer = s.split(halves[0], {std::nullopt, parts, 2});
    for (const LoopRV loop : {outer[0], outer[1], outer[2]}) {
      Schedule moved = s;
      moved.reverse_compute_at(moved.get_block("C"), loop);
      INFO(ir::to_text(moved.function()));
      CHECK(test::first_difference(function, test::run(function, arrays, {}),
                                   test::run(moved.function(), arrays, {})) == "");
    }
  }
}

TEST_CASE("a consumer comes back out of its producer's iterations as it went in", "[unit]") {
  std::mt19937_64 random(1);
  const ir::PrimFunc function = chain(6);
  const auto arrays = test::random_arrays(function, random);
  Schedule s(function);
  // B in every iteration of C's loop, in a loop of one iteration that becomes one of two, of which the second does
  // nothing; but it names the next element, which is one of B.
  s.compute_at(s.get_block("B"), s.get_loops(s.get_block("C"))[0]);
  const auto parts = s.split(s.get_loops(s.get_block("B"))[1], {2, std::nullopt});
  s.reverse_compute_at(s.get_block("C"), parts[0]);
  INFO(ir::to_text(s.function()));
  CHECK(test::first_difference(function, test::run(function, arrays, {}), test::run(s.function(), arrays, {})) == "");
}

}  // namespace vantage::test::compiler_schedule_guards_test
