#include "compiler/passes/simplify.h"

#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_te.h"

namespace vantage::test::compiler_passes_simplify_test {

using namespace vantage;

TEST_CASE("what is read of memory wraps, in whatever way it is used", "[unit]") {
  const std::vector<std::string> bodies = {
      R"(        x: T.int32 = A[t]
        B[t] = T.if_then_else(x + 2 > x, 1, 0)
)",
      R"(        x: T.int32 = A[t]
        if x + 2 < 3:
            if x < 1:
                B[t] = 1
            else:
                B[t] = 2
)",
      R"(        x: T.int32 = A[t]
        if x >= 0:
            for i in T.serial(x * 2, x * 2 + 4):
                if i >= 0:
                    B[t] = B[t] + 1
)",
      R"(        for i in T.serial(A[t], A[t] + 1):
            B[t] = i * 3 // 3
)",
      R"(        if A[t] < 2147483647:
            for i in T.serial(A[t], A[t] + 2):
                B[t] = B[t] + i * 3 // 3
)",
      R"(        B[t] = T.if_then_else(A[t] + 5 < 8, C[T.max(T.min(A[t], 3), 0)], 0)
)",
      R"(        B[t] = C[T.if_then_else(A[t] + 5 < 8, T.max(T.min(A[t], 3), 0), 7)]
)",
      R"(        if A[t] + 5 < 8 and C[T.max(T.min(A[t], 3), 0)] > 2:
            B[t] = 1
)",
      R"(        x: T.int32 = A[t]
        y: T.int32 = x * 4
        B[t] = y // 4
)"};
  const std::vector<int64_t> values = {INT32_MAX, INT32_MAX - 1, INT32_MIN, 1 << 30, -(1 << 30), 0, 1, 5};
  std::vector<Tensor> arrays(3, Tensor(kInt32, {8}));
  for (int64_t e = 0; e < 8; ++e) {
    arrays[0].set_number(e, static_cast<double>(values[static_cast<size_t>(e)]));
    arrays[1].set_number(e, 0);
    arrays[2].set_number(e, static_cast<double>(e + 1));
  }
  for (const std::string& body : bodies) {
    const ir::PrimFunc f = ir::parse_function(
        "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), C: T.Buffer((8,), "
        "\"int32\")):\n    for t in range(8):\n" +
            body,
        "f");
    const ir::PrimFunc simple = passes::simplify(f);
    INFO(body << ir::to_text(simple));
    CHECK(test::first_difference(f, test::run(f, arrays), test::run(simple, arrays)) == "");
  }
}

}  // namespace vantage::test::compiler_passes_simplify_test
