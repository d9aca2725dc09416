// The IR's text, read: what it may say, and what is refused of it.
#include "compiler/ir/parse_function.h"

#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/ir/visitor.h"
#include "tests/catch.h"
#include "tests/compiler/ir/random_function.h"
#include "tests/compiler/refusals.h"
#include "tests/support/effort.h"
#include "tests/support/golden.h"

namespace vantage::test::ir_parse_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

std::string again(const std::string& text) {
  return to_text(parse_function(text, "f"));
}

// A function of one statement.
std::string with(const std::string& statement) {
  return "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), n: T.int32, x: T.float32, p: T.bool):\n    " + statement +
         "\n";
}

}  // namespace

TEST_CASE("a function by hand is read as it is written", "[unit]") {
  const std::string text = R"(@T.prim_func
def matmul(A: T.Buffer((n, 16), "float32"), B: T.Buffer((16, m), "float32"), C: T.Buffer((n, m), "float32", align=16), n: T.int32, m: T.int32):
    T.func_attr({"user.note": "two\nlines", "user.size": 3})
    S = T.alloc_buffer((4,), "float16", scope="local", strides=(2,))
    for i in T.parallel(n):
        for j, k in T.grid(m, 16):
            with T.block("C"):
                vi = T.axis.spatial(n, i)
                vj = T.axis.spatial(m, j)
                vk = T.axis.reduce(16, k)
                T.where(i + j < 100 and not k == 3)
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
    for l in T.serial(2, 6, annotations={"pragma_dma_copy": 1}):
        if l % 2 == 0 or m > -3:
            t: T.float32 = T.exp(A[0, l]) * T.float32("-inf")
            A[0, l] = T.if_then_else(T.isnan(t), T.Cast("float32", l // (2 - l)), T.min(t, T.float32(2.5)))
        else:
            with T.allocate((2,), "int64", scope="shared") as D:
                D[0] = T.int64(-5) << T.int64(3)
            T.storage_sync("shared")
)";
  CHECK(again(text) == text);
  // Comments, empty lines and lines broken in brackets change nothing.
  std::string loose = text;
  loose.insert(loose.find("    for i"), "\n    # the product\n");
  loose.replace(loose.find("T.grid(m, 16)"), 13, "T.grid(m,\n   16)");
  CHECK(again(loose) == text);
  const auto function = parse_function(text, "f");
  // A sum is known as one, so that it can be factored.
  struct Search final : Visitor {
    using Visitor::visit;
    ReducerPtr reducer;
    void visit_block(const Block& block) override { reducer = block.reducer; }
  } search;
  search.visit(function.body);
  REQUIRE(search.reducer != nullptr);
  CHECK(search.reducer->name == "sum");
}

TEST_CASE("names that are words of the language are printed with a number", "[unit]") {
  const Buffer word = make_buffer("for", {Expr(4)}, kInt32);
  PrimFunc function;
  function.name = "f";
  function.params = {word};
  function.body = ir::store(word, {Expr(0)}, Expr(1));
  CHECK(again(to_text(function)) == to_text(function));
}

TEST_CASE("random functions are read back as they are printed", "[property]") {
  int read = 0;
  for (uint64_t seed = 0; seed < static_cast<uint64_t>(test::rounds(300)); ++seed) {
    test::RandomFunction random(seed);
    PrimFunc function;
    try {
      function.body = random.stmt(4);
    } catch (const Error&) {
      continue;  // not all that it draws has a type
    }
    if (!function.body) continue;
    for (const Var& var : random.vars) function.params.emplace_back(var);
    for (const Buffer& buffer : random.buffers) function.params.emplace_back(buffer);
    if (!verify(function).empty()) continue;
    const std::string text = to_text(function);
    INFO(text);
    CHECK(again(text) == text);
    ++read;
  }
  CHECK(read >= test::rounds(50));
}

TEST_CASE("calls of the user's functions say their types and what they touch", "[unit]") {
  const std::string text = R"(@T.prim_func
def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), S: T.Buffer((), "int32")):
    T.call_extern("fill", T.writes(B[0:4, 0:8]), T.reads(S[]), 3, "mode")
    for i in range(4):
        T.call_extern("sort", T.reads(A[i, 0:8]), T.updates(B[i, 2:6]), i)
        B[i, 0] = T.call_pure_extern("float32", "top", T.reads(A[i, 0:8])) * T.call_pure_extern("float32", "f", A[i, 0])
)";
  CHECK(again(text) == text);
  CHECK(verify(parse_function(text, "f")).empty());
}

TEST_CASE("what is no function is refused with its place", "[golden]") {
  test::Refusals list;
  const auto refuse = [&](const std::string& what, const std::string& text) {
    list.add(what, [&] { parse_function(text, "f.py"); });
  };
  refuse("nothing", "");
  refuse("another decorator", "@T.func\n");
  refuse("no body", "@T.prim_func\ndef f():\n");
  refuse("a parameter of no type", "@T.prim_func\ndef f(A: T.Buffer.f):\n    pass\n");
  refuse("a parameter of more than a type", "@T.prim_func\ndef f(n: T.int32.f):\n    pass\n");
  refuse("a parameter twice", "@T.prim_func\ndef f(n: T.Buffer((4,), \"int8\"), n: T.int32):\n    pass\n");
  refuse("a tab", "@T.prim_func\ndef f():\n\tpass\n");
  refuse("lines that end nowhere", with("A[0] = (1 +"));
  refuse("a line indented as none before",
         "@T.prim_func\ndef f(n: T.int32):\n    if n > 0:\n        pass\n      pass\n");
  refuse("an unknown name", with("B[0] = 1"));
  refuse("an unknown variable", with("A[i] = 1"));
  refuse("a name twice", with("n: T.int32 = 3"));
  refuse("a buffer as a value", with("A[0] = A + 1"));
  refuse("elements of a variable", with("n[0] = 1"));
  refuse("indices of another rank", with("A[0, 1] = 1"));
  refuse("a value of another type", with("A[0] = x"));
  refuse("types that do not fit", with("A[0] = n + x"));
  refuse("an unknown type", with("t: T.quad = 3"));
  refuse("a value that its type does not hold", with("A[0] = T.Cast(\"int32\", T.int8(200))"));
  refuse("a float that its type does not hold", with("A[0] = T.Cast(\"int32\", T.float16(1e6))"));
  refuse("a number with a point", with("A[0] = 1.5"));
  refuse("an unknown function", with("A[0] = T.sinus(x)"));
  refuse("an intrinsic of too many values", with("A[0] = T.Cast(\"int32\", T.exp(x, x))"));
  refuse("a target's call", with("T.vta.turn()"));
  refuse("a call of an element where a box is meant", with("T.call_extern(\"f\", T.reads(A))"));
  refuse("a call for its value that writes", with("A[0] = T.call_pure_extern(\"int32\", \"f\", T.writes(A[0:8]))"));
  refuse("a call of a target's under a name of the user's", with("T.call_extern(\"vta.turn\")"));
  refuse("a value of a call that has none", with("A[0] = T.call_extern(\"f\", n)"));
  refuse("a value that nothing takes", with("T.int64(3)"));
  refuse("a sum that nothing takes", with("T.exp(x) + x"));
  refuse("an unknown loop", with("for i in T.often(3):\n        A[i] = 1"));
  refuse("a grid of fewer sizes", with("for i, j in T.grid(3):\n        A[i] = 1"));
  refuse("a condition that is no bool", with("if n:\n        A[0] = 1"));
  refuse("a chain of comparisons", with("A[0] = T.Cast(\"int32\", 1 < n < 3)"));
  refuse("a block without regions", with("with T.block(\"b\"):\n        A[0] = 1"));
  refuse("an unknown axis", with("with T.block(\"b\"):\n        v = T.axis.opaque(3, 0)\n        T.reads()\n        "
                                 "T.writes()\n        A[v] = 1"));
  refuse("a text without end", with("T.storage_sync(\"shared)"));
  refuse("a byte that is no text", with("A[0] = \x01"));
  refuse("what is no part of the language", with("A[0] = n ? 1"));
  refuse("too deep", with("A[0] = " + std::string(500, '(') + "n" + std::string(500, ')')));
  std::string long_sum = "A[0] = n";
  for (int i = 0; i < 20000; ++i) long_sum += " + n";
  refuse("too long", with(long_sum));
  refuse("nothing to be done under a condition", with("if n > 0:\n        pass"));
  refuse("a sign of what is no number", with("A[0] = -n"));
  refuse("two functions", with("A[0] = 1") + with("A[0] = 1"));
  const std::string difference = test::compare_golden("refusals_ir_text.txt", list.text());
  if (!difference.empty()) FAIL(difference);
}

}  // namespace vantage::test::ir_parse_test
