// Loops that a person notes to be vectorized: whatever their iterations have to do with each other, they compute what
// the interpreter does in order.
#include "compiler/ir/parse_function.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"

namespace vantage::test::backend_cpu_vectorized_test {

using namespace vantage;

TEST_CASE("iterations of a vectorized loop that depend on each other are done in order", "[unit]") {
  const std::vector<std::string> bodies = {
      "            B[t * 4 + v] = B[t * 4] + A[t * 4 + v]\n",
      "            B[t * 4 + v] = A[t * 4 + v] - B[t * 4 + T.max(v - 1, 0)]\n",
      "            if A[t * 4] > T.float32(0):\n                A[t * 4 + v] = A[t * 4 + v] - T.float32(5)\n",
      "            B[t * 4 + v] = A[t * 4 + v]\n            B[t * 4 + 3 - v] = T.float32(7)\n",
      "            B[t] = A[t * 4 + v]\n            A[t * 4 + v] = B[t] + T.float32(1)\n",
      "            B[t * 4 + v // 2] = A[t * 4 + v]\n            A[t * 4 + v] = B[t * 4 + v // 2]\n",
      "            if A[t] > T.float32(0):\n                A[t] = A[t] - T.float32(5)\n",
      "            B[t] = B[t] * T.float32(0.5) + A[t * 4 + v]\n",
      "            for k in range(4):\n                B[t * 4 + T.min(k + v, 3)] = A[t * 4 + k] + A[t * 4 + v]\n",
      "            for k in range(4):\n                B[t * 3 + k + v] = B[t * 3 + k + v] - A[t * 4 + v]\n",
      "            B[t * 4 + v] = A[t * 4 + v] + T.float32(1)\n            A[t * 4 + v] = B[t * 4 + v]\n",
  };
  std::mt19937_64 random(1);
  Tensor a(kFloat32, {64}), b(kFloat32, {64});
  fill(a, random, -8, 8);
  fill(b, random, -8, 8);
  for (const std::string& body : bodies) {
    INFO(body);
    const ir::PrimFunc f = ir::parse_function(
        "@T.prim_func\ndef f(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"
        "    for t in range(16):\n        for v in T.vectorized(4):\n" +
            body,
        "f");
    const std::vector<test::Input> inputs = {a, b};
    CHECK(test::first_difference(f, test::run_interpreted(f, inputs), test::run_compiled(cpu::jit(f), inputs)) == "");
  }
}

}  // namespace vantage::test::backend_cpu_vectorized_test
