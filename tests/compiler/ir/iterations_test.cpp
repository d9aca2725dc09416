#include "compiler/ir/iterations.h"

#include "compiler/ir/parse_function.h"
#include "compiler/ir/visitor.h"
#include "tests/catch.h"

namespace vantage::test::compiler_ir_iterations_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

// Of the loop v of eight iterations, with this body, inside of t.
bool apart(const std::string& body) {
  struct Search final : Visitor {
    using Visitor::visit;
    bool result = false;
    void visit_for(const For& node) override {
      if (node.loop == ForKind::kVectorized) result = iterations_apart(node);
      Visitor::visit_for(node);
    }
  } search;
  const PrimFunc f = parse_function(
      "@T.prim_func\ndef f(A: T.Buffer((256,), \"int32\"), B: T.Buffer((256,), \"int32\"), C: T.Buffer((32, 8), "
      "\"int32\")):\n    for t in range(16):\n        for v in T.vectorized(8):\n" +
          body,
      "f");
  search.visit(f.body);
  return search.result;
}

}  // namespace

TEST_CASE("iterations are apart where each has its own elements", "[unit]") {
  CHECK(apart("            B[t * 8 + v] = A[t]\n"));
  CHECK(apart("            B[t * 8 + v] = A[t * 8 + v] + B[t * 8 + v]\n"));
  CHECK(apart("            B[t * 8 + v] = A[v]\n            A[t * 8 + v + 1] = B[t * 8 + v]\n") == false);
  CHECK(apart("            C[t, v] = C[t, v] + A[t]\n"));
  CHECK(apart("            C[v // 4 + t, v % 4] = C[v // 4 + t, v % 4] + A[t]\n"));
  CHECK(apart("            B[(v * 3) % 8] = B[(v * 3) % 8] + 1\n"));
  // In loops inside, as far as they reach.
  CHECK(apart("            for k in range(4):\n                B[t * 32 + v * 4 + k] = A[k]\n"));
  CHECK(apart("            for k in range(5):\n                B[t * 32 + v * 4 + k] = A[k]\n") == false);
  CHECK(apart("            for k in range(4):\n                C[v, 0] = C[v, 0] + A[k]\n"));
  // What is stored by one statement and read by none is in order, whatever it is.
  CHECK(apart("            B[t] = A[v]\n"));
  CHECK(apart("            B[A[v]] = A[t]\n"));
  // An array of its own
  CHECK(
      apart("            S = T.allocate((2,), \"int32\", scope=\"local\")\n            S[0] = A[v]\n"
            "            S[1] = S[0] + 1\n            B[t * 8 + v] = S[1]\n"));
}

TEST_CASE("iterations are not apart where they may share elements", "[unit]") {
  for (const char* body : {
           "            B[t * 8 + v] = B[t * 8] + A[v]\n",
           "            B[t * 8 + v] = B[t * 8 + 7 - v]\n",
           "            B[t] = B[t] + A[v]\n",
           "            B[t] = A[v]\n            B[t * 8 + v] = 3\n",
           "            B[v // 2] = B[v // 2] + A[v]\n",
           "            B[(v * 2) % 8] = B[(v * 2) % 8] + A[v]\n",
           "            B[A[v]] = B[A[v]] + 1\n",
           "            if B[t] > 0:\n                B[t * 8 + v] = 1\n",
           "            x: T.int32 = A[v]\n            B[x] = B[x] + 1\n",
       }) {
    INFO(body);
    CHECK_FALSE(apart(body));
  }
}

}  // namespace vantage::test::compiler_ir_iterations_test
