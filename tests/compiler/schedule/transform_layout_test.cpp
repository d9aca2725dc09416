// Buffers laid out otherwise hold the same, and maps that lose or double an element are refused.
#include "compiler/schedule/index_map.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/check_same.h"

namespace vantage::test::compiler_schedule_transform_layout_test {

using namespace vantage;
using namespace vantage::te;
using schedule::IndexMap;
using schedule::Schedule;

namespace {

// Y = A . B, C[i, j] = Y[i, j] + Y[j, i]
ir::PrimFunc product() {
  const te::Tensor a = placeholder({8, 6}, kInt32, "A"), b = placeholder({6, 8}, kInt32, "B");
  const ReduceAxis k = reduce_axis(6, "k");
  const te::Tensor y = compute(
      {8, 8}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "Y");
  const te::Tensor c = compute(
      {8, 8}, [&](Expr i, Expr j) { return y(i, j) + y(j, i); }, "C");
  return create_prim_func({a, b, c}, "f");
}

std::vector<int64_t> shape_by(const std::string& map, const std::vector<Expr>& shape) {
  std::vector<int64_t> result;
  const IndexMap index_map(map, shape);
  for (const Expr& size : index_map.shape()) result.push_back(*ir::as_int(size));
  return result;
}

std::string refused(const std::string& map, const std::vector<Expr>& shape = {8, 6}) {
  return ERROR_OF(shape_by(map, shape));
}

}  // namespace

TEST_CASE("an index map says which shape comes of it", "[unit]") {
  using Shape = std::vector<int64_t>;
  CHECK(shape_by("i, j -> j, i", {8, 6}) == Shape{6, 8});
  CHECK(shape_by("i, j -> i // 4, j // 2, i % 4, j % 2", {8, 6}) == Shape{2, 3, 4, 2});
  CHECK(shape_by("row, column -> row * 6 + column", {8, 6}) == Shape{48});
  CHECK(shape_by("i -> i // 64, i % 8, i // 8 % 8", {256}) == Shape{4, 8, 8});
  CHECK(shape_by("i, j -> (i % 4) * 6 + j, 0, i // 4", {8, 6}) == Shape{24, 1, 2});
  CHECK(shape_by("i, j -> i % 8 // 2, j, i % 2", {8, 6}) == Shape{4, 6, 2});
  CHECK(shape_by("i, j -> j", {1, 6}) == Shape{6});
  const ir::Var n("n");
  const IndexMap turned("i, j -> j // 2, i, j % 2", {n, 6});
  CHECK(turned.shape()[1].same_as(n));
}

TEST_CASE("an index map that is no bijection is refused", "[unit]") {
  const std::string kWhy = "does not give every element a place of its own: ";
  CHECK(refused("i, j -> i") == "the index map 'i, j -> i' " + kWhy + "it lacks 'j'");
  CHECK(refused("i, j -> i, j, i % 2") == "the index map 'i, j -> i, j, i % 2' " + kWhy + "it has 'i % 2' twice");
  CHECK(refused("i, j -> i // 4, j") == "the index map 'i, j -> i // 4, j' " + kWhy + "it lacks 'i % 4'");
  CHECK(refused("i, j -> i % 4, j") == "the index map 'i, j -> i % 4, j' " + kWhy + "it lacks 'i // 4'");
  CHECK(refused("i, j -> i % 2, i // 4, j") ==
        "the index map 'i, j -> i % 2, i // 4, j' " + kWhy + "it lacks 'i // 2 % 2'");
  CHECK(refused("i, j -> i + j") == "the index map 'i, j -> i + j' " + kWhy +
                                        "in 'i + j', the factor of 'j' is 1, expected 8, the number of values of what "
                                        "is added to it");
  CHECK(refused("i, j -> i, j + 1") == "the index map 'i, j -> i, j + 1' " + kWhy + "'j + 1' leaves places empty");
  CHECK(refused("i, j -> i, (i + j) // 2, j % 2") ==
        "the index map 'i, j -> i, (i + j) // 2, j % 2' " + kWhy + "'i + j' is no part of an index, as i // 8 % 4 is");
  CHECK(
      refused("i, j -> i // 16, j, i % 16") ==
      "the index map 'i, j -> i // 16, j, i % 16' divides 'i' of 8 values by 16, which leaves a rest; take a divisor, "
      "or let cache_read or the formula pad the buffer first");
  const ir::Var n("n");
  CHECK(refused("i, j -> i // 2, i % 2, j", {n, 6}) ==
        "the index map 'i, j -> i // 2, i % 2, j' " + kWhy +
            "i has n values, known only at the call; it can only be an index by itself");
}

TEST_CASE("what is no index map is refused with where it ends being one", "[unit]") {
  const auto has = [](const std::string& map, const std::string& what) {
    CHECK_THAT(refused(map), ContainsSubstring(fmt::format("the index map '{}' has {}", map, what)));
  };
  has("i, j", "the end of the line where '->' belongs");
  has("i, j -> i, k", "'k' where a name from before '->' belongs");
  has("i, j -> i / 2", "'/' where ',' or the end belongs");
  has("i, j -> i, j % j", "'j' where a number belongs");
  has("i, j -> (i, j", "',' where ')' belongs");
  CHECK(refused("i -> i") == "the index map 'i -> i' names 1 dimensions of a buffer that has 2");
  CHECK(refused("i, i -> i, i") == "the index map 'i, i -> i, i' names two dimensions i");
  CHECK(refused("i, j -> " + std::string(2000, '(')) == "an index map of 2008 characters, more than 1000");
}

TEST_CASE("all accesses follow the layout", "[unit]") {
  for (const char* map : {"i, j -> j, i", "i, j -> i // 4, j // 2, i % 4, j % 2", "i, j -> i * 8 + j",
                          "i, j -> (j % 4) * 8 + i, j // 4"}) {
    const ir::PrimFunc original = product();
    Schedule s(original);
    s.split(s.get_loop(s.get_block("C"), "j"), {std::nullopt, 3});
    s.transform_layout(s.get_block("Y"), map);
    check_same(original, s.function());
    // Back by the same buffer's name, from the block that reads it.
    if (std::string(map) == "i, j -> j, i") s.transform_layout(s.get_block("C"), "Y", "a, b -> b, a");
    check_same(original, s.function());
  }
}

TEST_CASE("a layout that is not the function's own to change is refused", "[unit]") {
  Schedule s(product());
  const auto y = s.get_block("Y");
  CHECK(ERROR_OF(s.transform_layout(y, "A", "i, j -> j, i")) ==
        "transform_layout: A belongs to the caller, who decides how it lies in memory; cache_read it, and change the "
        "copy");
  CHECK(
      ERROR_OF(s.transform_layout(s.get_block("C"), "i, j -> j, i")) ==
      "transform_layout: C belongs to the caller, who decides how it lies in memory; cache_write the block that makes "
      "it, and change the copy");
  CHECK(ERROR_OF(s.transform_layout(y, "X", "i, j -> j, i")) ==
        "transform_layout: the block Y does not touch X; known: Y, A, B");
  s.storage_align(y, 0, 8, 1);
  CHECK(ERROR_OF(s.transform_layout(y, "i, j -> j, i")) ==
        "transform_layout: storage_align of the block Y names a dimension of Y; do it after transform_layout");
  // The remedy of the first two works.
  const ir::PrimFunc original = product();
  Schedule copied(original);
  copied.transform_layout(copied.cache_read(copied.get_block("Y"), "A", "local"), "i, k -> k // 3, i, k % 3");
  copied.cache_write(copied.get_block("C"), "local");
  copied.transform_layout(copied.get_block("C"), "  i, j -> i // 2, j, i % 2");
  check_same(original, copied.function());
}

}  // namespace vantage::test::compiler_schedule_transform_layout_test
