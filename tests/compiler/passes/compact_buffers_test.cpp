// Buffers that are allocated one right inside the other, which compact_buffers looks at together.
#include "compiler/passes/compact_buffers.h"

#include "compiler/ir/printer.h"
#include "tests/catch.h"

namespace vantage::test::compiler_passes_compact_buffers_test {

using namespace vantage;
using namespace vantage::ir;

TEST_CASE("buffers of one place are as small as what each is touched for", "[unit]") {
  const Buffer a = make_buffer("A", {64}, kInt32), c = make_buffer("C", {64}, kInt32);
  const Buffer x = make_buffer("X", {64}, kInt32), y = make_buffer("Y", {64}, kInt32),
               z = make_buffer("Z", {64}, kInt32);
  const Var i("i"), j("j"), k("k");
  const Stmt uses = seq({loop(j, 8, store(x, {i * 8 + j}, load(a, {i * 8 + j}))),
                         loop(k, 3, store(y, {k * 2 + 5}, load(x, {i * 8 + k}))),
                         loop(j, 4, store(c, {i * 8 + j}, load(y, {j + 5})))});
  PrimFunc f;
  f.name = "f";
  f.params = {a, c};
  // Nobody touches Z, which stays as it is.
  f.body = loop(i, 8, make_stmt(Allocate(x, make_stmt(Allocate(z, make_stmt(Allocate(y, uses, {})), {})), {})));
  CHECK(to_text(passes::compact_buffers(f)) ==
        R"(@T.prim_func
def f(A: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
    for i in range(8):
        X = T.allocate((8,), "int32")
        Z = T.allocate((64,), "int32")
        Y = T.allocate((5,), "int32")
        for j in range(8):
            X[i * 8 + j - i * 8] = A[i * 8 + j]
        for k in range(3):
            Y[k * 2 + 5 - 5] = X[i * 8 + k - i * 8]
        for j in range(4):
            C[i * 8 + j] = Y[j + 5 - 5]
)");
}

TEST_CASE("a buffer that is allocated at two places is looked at for each", "[unit]") {
  const Buffer c = make_buffer("C", {64}, kInt32), x = make_buffer("X", {64}, kInt32);
  const auto piece = [&](int64_t from) {
    return make_stmt(Allocate(x, seq({store(x, {from}, 1), store(c, {from}, load(x, {from}))}), {}));
  };
  PrimFunc f;
  f.name = "f";
  f.params = {c};
  f.body = seq({piece(3), piece(5)});
  const std::string text = to_text(passes::compact_buffers(f));
  INFO(text);
  // Each of its own size, from where each begins.
  CHECK(text.find("T.allocate((64,)") == std::string::npos);
  CHECK(text.find("[0] = 1") != std::string::npos);
  CHECK(text.find("[0] = 1") != text.rfind("[0] = 1"));
}

}  // namespace vantage::test::compiler_passes_compact_buffers_test
