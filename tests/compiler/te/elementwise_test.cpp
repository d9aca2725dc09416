// Stages written on whole tensors.
#include <random>

#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/printer.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_te_elementwise_test {

using namespace vantage;
using namespace vantage::te;

TEST_CASE("operators on tensors are stages, named after what they do", "[unit]") {
  const te::Tensor a = placeholder({8}, kFloat32, "A"), b = placeholder({8}, kFloat32, "B");
  const std::string text = to_text(create_prim_func({a, b, relu(a + b * 2).named("C")}, "f"));
  CHECK(text == R"(@T.prim_func
def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    multiply = T.alloc_buffer((8,), "float32")
    add = T.alloc_buffer((8,), "float32")
    for i in range(8):
        with T.block("multiply"):
            vi = T.axis.spatial(8, i)
            T.reads(B[vi])
            T.writes(multiply[vi])
            multiply[vi] = B[vi] * T.float32(2)
    for i_1 in range(8):
        with T.block("add"):
            vi_1 = T.axis.spatial(8, i_1)
            T.reads(A[vi_1], multiply[vi_1])
            T.writes(add[vi_1])
            add[vi_1] = A[vi_1] + multiply[vi_1]
    for i_2 in range(8):
        with T.block("C"):
            vi_2 = T.axis.spatial(8, i_2)
            T.reads(add[vi_2])
            T.writes(C[vi_2])
            C[vi_2] = T.max(add[vi_2], T.float32(0))
)");
}

TEST_CASE("every operation on tensors is that on their elements", "[unit]") {
  const te::Tensor a = placeholder({3, 5}, kInt32, "A"), b = placeholder({3, 5}, kInt32, "B");
  const Var s = var("s");
  using Pair = std::pair<te::Tensor, std::function<int64_t(int64_t a, int64_t b)>>;
  const std::vector<Pair> pairs = {
      {a + b, [](int64_t x, int64_t y) { return x + y; }},
      {a - b, [](int64_t x, int64_t y) { return x - y; }},
      {7 - b, [](int64_t, int64_t y) { return 7 - y; }},
      {a * b, [](int64_t x, int64_t y) { return x * y; }},
      {a * s, [](int64_t x, int64_t) { return x * 3; }},
      {a << 2, [](int64_t x, int64_t) { return x * 4; }},
      {a >> 1, [](int64_t x, int64_t) { return x >> 1; }},
      {a & b, [](int64_t x, int64_t y) { return x & y; }},
      {a | b, [](int64_t x, int64_t y) { return x | y; }},
      {a ^ b, [](int64_t x, int64_t y) { return x ^ y; }},
      {-a, [](int64_t x, int64_t) { return -x; }},
      {max(a, b), [](int64_t x, int64_t y) { return std::max(x, y); }},
      {min(a, 3), [](int64_t x, int64_t) { return std::min<int64_t>(x, 3); }},
      {clip(a, -2, 2), [](int64_t x, int64_t) { return std::clamp<int64_t>(x, -2, 2); }},
      {relu(a), [](int64_t x, int64_t) { return std::max<int64_t>(x, 0); }},
      {map(a, [](Expr x) { return x * x; }), [](int64_t x, int64_t) { return x * x; }},
      {map(a, b, [](Expr x, Expr y) { return x - y * 2; }), [](int64_t x, int64_t y) { return x - y * 2; }},
  };
  std::mt19937_64 random(1);
  vantage::Tensor x(kInt32, {3, 5}), y(kInt32, {3, 5});
  fill(x, random, -50, 50);
  fill(y, random, -50, 50);
  for (const auto& [tensor, expected] : pairs) {
    INFO(tensor.name());
    vantage::Tensor out(kInt32, {3, 5});
    ir::interpret(create_prim_func({a, b, s, tensor}), {&x, &y, int64_t{3}, &out});
    for (int64_t e = 0; e < out.size(); ++e) REQUIRE(out.integer(e) == expected(x.integer(e), y.integer(e)));
  }
  const te::Tensor f = placeholder({3, 5}, kFloat32, "F");
  CHECK(cast(kInt8, f).dtype() == kInt8);
  CHECK((f / 2).dtype() == kFloat32);
  CHECK((1 / f).name() == "divide");
  CHECK(map(f, [](Expr e) { return e > 0.0F; }).dtype() == kBool);
}

TEST_CASE("shapes are broadcast as in NumPy", "[property]") {
  std::mt19937_64 random = test::generator(2);
  const auto pick = [&](size_t count) { return random() % count; };
  for (int round = 0; round < test::rounds(60); ++round) {
    // What both have in the end, and what each of them has of it.
    std::vector<int64_t> whole(pick(4));
    for (int64_t& size : whole) size = 1 + static_cast<int64_t>(pick(4));
    const auto part = [&](bool all) {
      std::vector<int64_t> shape = whole;
      if (all) return shape;
      for (int64_t& size : shape) size = pick(3) == 0 ? 1 : size;
      shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(pick(shape.size() + 1)));
      return shape;
    };
    const bool first_is_whole = pick(2) == 0;
    const std::vector<int64_t> shapes[] = {part(first_is_whole), part(!first_is_whole)};
    const auto sizes = [](const std::vector<int64_t>& shape) { return std::vector<Expr>(shape.begin(), shape.end()); };
    const te::Tensor a = placeholder(sizes(shapes[0]), kInt32, "A"), b = placeholder(sizes(shapes[1]), kInt32, "B");
    const te::Tensor c = a * 100 + b;
    vantage::Tensor x(kInt32, shapes[0]), y(kInt32, shapes[1]), z(kInt32, whole);
    fill(x, random, 0, 99);
    fill(y, random, 0, 99);
    const ir::PrimFunc f = create_prim_func({a, b, c}, "f");
    INFO(to_text(f));
    ir::interpret(f, {&x, &y, &z});
    for (int64_t e = 0; e < z.size(); ++e) {
      const std::vector<int64_t> index = z.index_of(e);
      const auto at = [&](const vantage::Tensor& t) {
        int64_t element = 0;
        for (size_t d = 0; d < t.rank(); ++d) {
          const int64_t i = t.extent(d) == 1 ? 0 : index[whole.size() - t.rank() + d];
          element = element * t.extent(d) + i;
        }
        return t.integer(element);
      };
      REQUIRE(z.integer(e) == at(x) * 100 + at(y));
    }
  }
}

TEST_CASE("sizes that are not known must be the same symbol", "[unit]") {
  const Var n = var("n"), m = var("m");
  const te::Tensor a = placeholder({n, 4}, kFloat32, "A"), row = placeholder({4}, kFloat32, "row"),
                   b = placeholder({m, 4}, kFloat32, "B"), c = placeholder({n, 3}, kInt32, "C");
  CHECK(ir::to_text((a + row).shape()[0]) == "n");
  CHECK(ir::to_text((row + a).shape()[0]) == "n");
  CHECK(ERROR_OF(a + b) ==
        "add: the shapes of A (n, 4) and B (m, 4) do not fit: 'n' stands beside 'm', expected the same, or 1");
  CHECK(ERROR_OF(a * c) ==
        "multiply: the shapes of A (n, 4) and C (n, 3) do not fit: '4' stands beside '3', expected the same, or 1");
  CHECK_THAT(ERROR_OF(a + cast(kInt32, a)), ContainsSubstring("mixes the types float32 and int32"));
  CHECK_THAT(ERROR_OF(a.named("my tensor")), ContainsSubstring("cannot name a buffer"));
}

}  // namespace vantage::test::compiler_te_elementwise_test
