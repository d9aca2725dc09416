// What verify() says about indices and bindings.
#include <functional>

#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/ir/random_index.h"
#include "tests/compiler/ir/verify_support.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_ir_verify_bounds_test {

using namespace vantage;
using namespace vantage::test::verifying;

TEST_CASE_METHOD(World, "bindings stay in the domains of their axes", "[unit]") {
  const auto bound = [&](const Expr& extent, const Range& domain, const Expr& binding, const Expr& predicate = true) {
    return wrong(
        {b, n},
        loop(i, extent,
             loop(j, 32,
                  block_of("C", {{vi, domain, AxisKind::kOrdered}}, {binding}, store(b, {0, 0}, 1), {}, predicate))));
  };
  CHECK(bound(4, {0, 128}, i * 32 + j) == "");
  CHECK(bound(4, {0, 100}, i * 32 + j) ==
        "the block C binds vi to 'i * 32 + j', which reaches 100; the domain of the axis is 0:100\n");
  CHECK(bound(4, {0, 100}, i * 32 + j, i * 32 + j < 100) == "");
  CHECK(bound(4, {0, 100}, i * 32 + j, vi < 100) == "");
  CHECK(bound(4, {1, 128}, i * 32 + j) ==
        "the block C binds vi to 'i * 32 + j', which reaches 0; the domain of the axis is 1:129\n");
  CHECK(bound(floor_div(n + 31, 32), {0, n}, i * 32 + j, call(kLikely, {i * 32 + j < n})) == "");
  CHECK(bound(floor_div(n + 31, 32), {0, n}, i * 32 + j) == "");  // 32 divides some n
  CHECK(bound(floor_div(n, 32) + 1, {0, n}, i * 32 + j) ==
        "the block C binds vi to 'i * 32 + j', which reaches 16 for n = 16; the domain of the axis is 0:n\n");
  CHECK(bound(128, {0, 4}, load(b, {i, j})) == "");  // what is loaded is known at run time
  // A domain that depends on another axis.
  const auto triangle = [&](const Expr& binding) {
    return wrong({b}, loop(i, 8,
                           loop(j, 8,
                                block_of("C", {spatial(vi, 8), {vj, {0, vi + 1}, AxisKind::kSpatial}}, {i, binding},
                                         store(b, {vi, vj}, 1)))));
  };
  CHECK(triangle(min(i, j)) == "");
  CHECK(triangle(j) == "the block C binds vj to 'j', which reaches 1; the domain of the axis is 0:vi + 1\n");
}

TEST_CASE_METHOD(World, "indices stay in their buffers", "[unit]") {
  const auto with = [&](const Stmt& stmt) { return wrong({a, b, an, bm}, stmt); };
  CHECK(with(loop(i, 128, block_of("C", {spatial(vi, 128)}, {i}, store(b, {vi, 0}, load(a, {vi + 1}))))) ==
        "C reads A[vi + 1], which reaches 128; dimension 0 of A has 128 elements\n");
  CHECK(with(loop(i, 128, store(b, {0, i - 1}, 1))) ==
        "main writes B[0, i - 1], which reaches -1; dimension 1 of B has 128 elements\n");
  CHECK(with(store(a, {128}, 1)) == "main writes A[128], which reaches 128; dimension 0 of A has 128 elements\n");
  CHECK(with(loop(i, 1000000, loop(j, 1000000, store(a, {i + j}, 1)))) ==
        "main writes A[i + j], which reaches 128; dimension 0 of A has 128 elements\n");
  CHECK(with(loop(i, 0, store(a, {1000}, 1))) == "");
  CHECK(with(loop(i, 64, store(a, {i * 2 + 1}, 1))) == "");
  CHECK(with(loop(i, 512, store(a, {floor_div(i, 4)}, floor_mod(i, 128)))) == "");
  const auto box = [&](const Expr& min, const Expr& extent, Touch touch) {
    const Expr view = raw<View>(a, std::vector<Range>{{min, extent}}, touch);
    return with(loop(i, 8, evaluate(raw<Call>(kVoid, "f", std::vector<Expr>{view}))));
  };
  CHECK(box(i * 16, 16, Touch::kRead) == "");
  CHECK(box(i * 16, 17, Touch::kRead) ==
        "main reads A[i * 16:i * 16 + 17], which reaches 128; dimension 0 of A has 128 elements\n");
  CHECK(box(i - 1, 1, Touch::kWrite) == "main writes A[i - 1], which reaches -1; dimension 0 of A has 128 elements\n");
}

TEST_CASE_METHOD(World, "conditions around count", "[unit]") {
  const Var p("p", kBool);
  const auto with = [&](const Stmt& stmt) { return wrong({a, b, p}, stmt); };
  const Stmt at_i = store(a, {i}, 1);
  const auto under = [&](const Expr& condition) { return with(loop(i, 200, make_stmt(If(condition, at_i, {})))); };
  const std::string beyond = "main writes A[i], which reaches 128; dimension 0 of A has 128 elements\n";
  CHECK(with(loop(i, 200, at_i)) == beyond);
  CHECK(under(i < 128) == "");
  CHECK(under(call(kLikely, {i < 128})) == "");
  CHECK(under(i < 129) == beyond);
  CHECK(under(floor_mod(i, 2) == 0 && floor_div(i, 4) < 32) == "");
  CHECK(under(floor_mod(i, 2) == 0 && i < 129) == beyond);
  CHECK(under(floor_mod(i, 2) == 1 && i < 129) == "");
  CHECK(under(i < 128 || i > 300) == "");
  CHECK(under(i != 128 && i < 129) == "");
  CHECK(with(loop(i, 200, make_stmt(If(i >= 128, store(b, {0, 0}, 1), at_i)))) == "");
  CHECK(with(loop(i, 200, make_stmt(If(i < 128, store(b, {0, 0}, 1), at_i)))) == beyond);
  // One that a load or a flag decides is left to run time.
  CHECK(under(load(b, {0, 0}) > 3) == "");
  CHECK(under(p) == "");
  CHECK(under(p || i < 128) == "");
  // Padding.
  const auto padded = [&](const Expr& condition, const Expr& index) {
    return with(loop(i, 130, store(b, {0, 0}, if_then_else(condition, load(a, {index}), 0))));
  };
  CHECK(padded(i >= 1 && i < 129, i - 1) == "");
  CHECK(padded(i >= 1 && i < 130, i - 1) ==
        "main reads A[i - 1], which reaches 128; dimension 0 of A has 128 elements\n");
  CHECK(padded(i >= 0 && i < 129, i - 1) ==
        "main reads A[i - 1], which reaches -1; dimension 0 of A has 128 elements\n");
  CHECK(with(loop(i, 130, store(b, {0, 0}, if_then_else(i < 1 || i > 128, 0, load(a, {i - 1}))))) == "");
  // `and` and `or` evaluate their right-hand side only where the left one leaves it open.
  CHECK(with(loop(i, 200, make_stmt(If(i < 128 && load(a, {i}) > 0, store(b, {0, 0}, 1), {})))) == "");
  CHECK(with(loop(i, 200, make_stmt(If(load(a, {i}) > 0 && i < 128, store(b, {0, 0}, 1), {})))) != "");
  CHECK(with(loop(i, 200, make_stmt(If(i >= 128 || load(a, {i}) > 0, store(b, {0, 0}, 1), {})))) == "");
  // A block's predicate.
  const auto block = [&](const Expr& predicate) {
    return with(loop(i, 200, block_of("C", {spatial(vi, 200)}, {i}, store(a, {vi}, 1), {}, predicate)));
  };
  CHECK(block(vi < 128) == "");
  CHECK(block(i < 128) == "");
  CHECK(block(i < 150) == "C writes A[vi], which reaches 128; dimension 0 of A has 128 elements\n");
  // Bindings are computed where it holds of the loops.
  const auto reading = [&](const Expr& predicate) {
    return with(loop(i, 200, block_of("C", {spatial(vi, 128)}, {load(a, {i})}, store(a, {vi}, 1), {}, predicate)));
  };
  CHECK(reading(i < 128) == "");
  CHECK(reading(i < 128 && vi < 100) == "");
  CHECK(reading(vi < 128) == "main reads A[i], which reaches 128; dimension 0 of A has 128 elements\n");
}

TEST_CASE_METHOD(World, "the initialisation runs at the beginning of the reduction", "[unit]") {
  const auto with = [&](const Expr& first) {
    return wrong({a, b}, loop(i, 64,
                              loop(k, 64,
                                   block_of("C", {spatial(vi, 64), reduce(vk, 64)}, {i, k}, store(b, {vi, 0}, 1),
                                            store(b, {vi, 0}, load(a, {first}))))));
  };
  CHECK(with(vi + vk * 64) == "");
  CHECK(with(vi + vk * 64 + 65) ==
        "C reads A[vi + vk * 64 + 65], which reaches 128; dimension 0 of A has 128 elements\n");
}

TEST_CASE_METHOD(World, "sizes that are unknown are wrong when they always are", "[unit]") {
  const Var q("q"), x("x");
  const auto with = [&](const Stmt& stmt) { return wrong({a, an, bm, q}, stmt); };
  CHECK(with(loop(i, n, store(an, {i + 1}, 1))) ==
        "main writes An[i + 1], which reaches 16 for n = 16; dimension 0 of An has n elements\n");
  CHECK(with(loop(i, n, store(an, {n - 1 - i}, 1))) == "");
  CHECK(with(loop(i, n, store(an, {n - i}, 1))) ==
        "main writes An[n - i], which reaches 16 for n = 16; dimension 0 of An has n elements\n");
  CHECK(with(loop(i, n, store(bm, {i}, 1))) == "");  // m may be n
  CHECK(with(loop(i, m + n, store(bm, {i}, 1))) ==
        "main writes Bm[i], which reaches 16 for m = 16, n = 16; dimension 0 of Bm has m elements\n");
  CHECK(with(loop(i, n, store(a, {i}, 1))) == "");  // n may be 100
  CHECK(with(loop(i, n, store(a, {i + 128}, 1))) != "");
  CHECK(with(loop(i, floor_div(n + 31, 32), loop(j, 32, store(an, {i * 32 + j}, 1)))) == "");  // n may be 64
  CHECK(with(loop(i, floor_div(n, 16), loop(j, 16, store(an, {i * 16 + j}, 1)))) == "");
  CHECK(with(store(a, {q}, 1)) == "");
  CHECK(with(loop(i, n, loop(x, n, make_stmt(If(i + x < n, store(an, {i + x}, 1), {}))))) == "");
  // Fused, in 64 bits and in 32, where n * n does not fit.
  const Buffer square = make_buffer("S", {n * n}, kInt32);
  CHECK(wrong({n, square}, loop(i, n, loop(j, n, store(square, {i * n + j}, 1)))) == "");
  CHECK(wrong({n, square}, loop(i, n, loop(j, n, store(square, {i * n + j + 1}, 1)))) != "");
}

TEST_CASE_METHOD(World, "what loads decide is left to run time", "[unit]") {
  const Var t("t"), x("x");
  const auto with = [&](const Stmt& stmt) { return wrong({a, b}, stmt); };
  CHECK(with(store(a, {load(a, {0})}, 1)) == "");
  CHECK(with(store(a, {load(a, {0}) + 1000}, 1)) == "");
  CHECK(with(make_stmt(Let(t, load(a, {0}), store(a, {t}, 1)))) == "");
  CHECK(with(loop(i, load(a, {0}), store(a, {i + 1000}, 1))) == "");
  // What does not depend on it is not.
  CHECK(with(loop(i, load(a, {0}), store(a, {1000}, 1))) != "");
  CHECK(with(store(a, {load(a, {500})}, 1)) ==
        "main reads A[500], which reaches 500; dimension 0 of A has 128 elements\n");
  CHECK(with(make_stmt(Let(t, 100, loop(x, 29, store(a, {t + x}, 1))))) ==
        "main writes A[t + x], which reaches 128; dimension 0 of A has 128 elements\n");
}

TEST_CASE_METHOD(World, "loops that depend on each other are searched along their edges", "[unit]") {
  const auto with = [&](int64_t elements, const Expr& guard) {
    const Buffer c = make_buffer("C", {elements}, kInt32);
    const Stmt at = store(c, {i * 64 + j}, 1);
    return wrong({c}, loop(i, 400, loop(j, 64, make_stmt(If(guard, at, {})))));
  };
  CHECK(with(20000, i * 64 + j < 20000) == "");
  CHECK(with(20000, i * 64 + j < 20001) ==
        "main writes C[i * 64 + j], which reaches 20000; dimension 0 of C has 20000 elements\n");
  const auto ragged = [&](int64_t elements) {
    const Buffer c = make_buffer("C", {elements}, kInt32);
    return wrong({c}, loop(i, 313, loop(j, min(64, 20001 - i * 64), store(c, {i * 64 + j}, 1))));
  };
  CHECK(ragged(20001) == "");
  CHECK(ragged(20000) == "main writes C[i * 64 + j], which reaches 20000; dimension 0 of C has 20000 elements\n");
}

namespace {

// Three loops, the first from 1, around a store under a condition.
struct Nest {
  std::vector<Var> vars;
  std::vector<Range> ranges;
  Expr condition, index;
  Buffer buffer;

  Stmt build() const {
    Stmt stmt = make_stmt(If(condition, store(buffer, {index}, 1), {}));
    for (size_t d = vars.size(); d-- > 0;) stmt = loop_from(vars[d], ranges[d].min, ranges[d].extent, stmt);
    return stmt;
  }
  // The indices that are stored to, by running it.
  void run(size_t depth, test::Assignment& values, const std::function<void(int64_t)>& visit) const {
    if (depth == vars.size()) {
      if (*test::evaluate(condition, values) != 0) visit(*test::evaluate(index, values));
      return;
    }
    const int64_t first = *test::evaluate(ranges[depth].min, values),
                  count = *test::evaluate(ranges[depth].extent, values);
    for (int64_t at = first; at < first + count; ++at) {
      values[vars[depth].get()] = at;
      run(depth + 1, values, visit);
    }
  }
  bool leaves_buffer() const {
    bool outside = false;
    test::Assignment values;
    const int64_t size = *as_int(buffer->shape[0]);
    run(0, values, [&](int64_t index_value) { outside = outside || index_value < 0 || index_value >= size; });
    return outside;
  }
};

Nest random_nest(std::mt19937_64& random, int longest, int depth) {
  const auto pick = [&](int first, int last) { return first + static_cast<int>(random() % (last - first + 1)); };
  Nest nest;
  for (const char* name : {"i", "j", "k"}) {
    Range range{nest.vars.empty() ? 1 : pick(-1, 1), pick(1, longest)};
    if (!nest.vars.empty() && random() % 3 == 0) range.extent = nest.vars.back() + pick(0, 2);
    if (!nest.vars.empty() && random() % 6 == 0)
      range.extent = min(pick(1, longest), pick(1, 3 * longest) - nest.vars.back());
    nest.ranges.push_back(range);
    nest.vars.emplace_back(name);
  }
  nest.condition = random() % 3 == 0 ? Expr(true) : test::random_condition(random, nest.vars, 2);
  nest.index = test::random_int(random, nest.vars, depth);
  nest.buffer = make_buffer("A", {pick(1, 4 * longest)}, kInt32);
  return nest;
}

}  // namespace

TEST_CASE("indices are found wrong exactly when they are", "[property]") {
  std::mt19937_64 random = test::generator(11);
  int outside = 0;
  for (int round = 0; round < test::rounds(2000); ++round) {
    const Nest nest = random_nest(random, 7, static_cast<int>(random() % 4));
    const bool leaves = nest.leaves_buffer();
    const std::string messages = wrong({nest.buffer}, nest.build());
    outside += leaves ? 1 : 0;
    if (leaves != messages.empty()) continue;
    FAIL(to_text(nest.build()) << "with A of " << to_text(nest.buffer->shape[0])
                               << (leaves ? " is wrong\n" : " is right\n") << messages);
  }
  CHECK(outside > 500);
  CHECK(outside < 2500);
}

TEST_CASE("in long loops what is found wrong is, and most is found", "[property]") {
  std::mt19937_64 random = test::generator(12);
  int outside = 0, found = 0;
  for (int round = 0; round < test::rounds(100); ++round) {
    const Nest nest = random_nest(random, 40, 1 + static_cast<int>(random() % 2));
    const bool leaves = nest.leaves_buffer();
    const std::string messages = wrong({nest.buffer}, nest.build());
    outside += leaves ? 1 : 0;
    found += messages.empty() ? 0 : 1;
    if (!leaves && !messages.empty()) FAIL(to_text(nest.build()) << messages);
  }
  INFO(found << " of " << outside << " were found");
  CHECK(found > outside * 95 / 100);
}

}  // namespace vantage::test::compiler_ir_verify_bounds_test
