#include "compiler/ir/in_place.h"

#include <fmt/format.h>

#include <regex>

#include "compiler/ir/parse_function.h"
#include "tests/catch.h"
#include "tests/compiler/refusals.h"

namespace vantage::test::ir_in_place_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

// The axes v and w, by a block's number.
std::string with_number(const std::string& text, size_t n) {
  return std::regex_replace(text, std::regex("\\b([vw])\\b"), "$01" + std::to_string(n));
}

// "YX YR": what may be where what else is. Of blocks over all of Y that store something, one after another.
std::string pairs(const std::vector<std::string>& stores, const std::string& x = "(8, 4), \"float32\"") {
  std::string text = "@T.prim_func\ndef f(X: T.Buffer(" + x +
                     "), R: T.Buffer((8, 4), \"float32\"), Y: T.Buffer((8, 4), \"float32\")):\n"
                     "    t = T.alloc_buffer((8, 4), \"float32\")\n";
  for (size_t n = 0; n < stores.size(); ++n) {
    text += fmt::format(
        "    for i{0}, j{0} in T.grid(8, 4):\n        with T.block(\"b{0}\"):\n"
        "            v{0} = T.axis.spatial(8, i{0})\n            w{0} = T.axis.spatial(4, j{0})\n"
        "            T.reads()\n            T.writes()\n            {1}\n",
        n, with_number(stores[n], n));
  }
  PrimFunc function = parse_function(text, "f");
  note_in_place(function);
  std::string found;
  for (const InPlace& pair : noted_in_place(function)) found += pair.written->name + pair.read->name + " ";
  return found;
}

}  // namespace

TEST_CASE("a function may write where it reads if elements matter for the same elements only", "[unit]") {
  CHECK(pairs({"Y[v, w] = T.max(X[v, w] * X[v, w], R[v, w])"}) == "YX YR ");
  CHECK(pairs({"t[v, w] = X[v, w] + T.float32(1)", "Y[v, w] = t[v, w] * R[v, w]"}) == "YX YR ");
  CHECK(pairs({"Y[v, w] = X[0, w] + R[v, w]"}) == "YR ");
  CHECK(pairs({"Y[v, w] = X[7 - v, w]"}).empty());
  CHECK(pairs({"t[v, w] = X[7 - v, w]", "Y[v, w] = t[v, w]"}).empty());
  CHECK(pairs({"t[7 - v, w] = X[v, w]", "Y[v, w] = t[v, w]"}).empty());
  CHECK(pairs({"Y[7 - v, w] = X[7 - v, w]"}).empty());
  // What is read once more for something else.
  CHECK(pairs({"t[v, w] = X[v, 0]", "Y[v, w] = t[v, w] + X[v, w]"}).empty());
  CHECK(pairs({"Y[v, w] = X[v, w]", "t[v, w] = Y[v, 0]"}).empty());
  CHECK(pairs({"t[v, w] = X[v, w]", "Y[v, w] = t[0, w]"}).empty());
  // What is written twice, or not by this function alone.
  CHECK(pairs({"Y[v, w] = X[v, w]", "Y[v, w] = R[v, w]"}).empty());
  CHECK(pairs({"X[v, w] = R[v, w]", "Y[v, w] = X[v, w]"}).empty());
  // Others' sizes.
  CHECK(pairs({"Y[v, w] = T.Cast(\"float32\", X[v, w])"}, "(8, 4), \"int32\"") == "YX ");
  CHECK(pairs({"Y[v, w] = T.Cast(\"float32\", X[v, w])"}, "(8, 4), \"int8\"").empty());
  CHECK(pairs({"Y[v, w] = X[v, w]"}, "(9, 4), \"float32\"").empty());
  CHECK(pairs({"Y[v, w] = X[v, w]"}, "(8, 4), \"float32\", strides=(5, 1)").empty());
}

TEST_CASE("notes that name no two parameters are refused", "[unit]") {
  const auto error = [](const std::string& note) {
    const PrimFunc function = parse_function(
        "@T.prim_func\ndef f(X: T.Buffer((8,), \"int32\"), Y: T.Buffer((8,), \"int32\"), n: T.int32):\n    "
        "T.func_attr({" +
            note + "})\n    Y[n] = X[n]\n",
        "f");
    return ERROR_OF(noted_in_place(function));
  };
  CHECK_THAT(error("\"in_place.Y\": \"X Z\""), ContainsSubstring("what may be in the place of 'Z'"));
  CHECK_THAT(error("\"in_place.n\": \"X\""), ContainsSubstring("'n', but that is no parameter that is a buffer"));
  CHECK_THAT(error("\"in_place.Y\": 3"), ContainsSubstring("is no text of parameters' names"));
}

}  // namespace vantage::test::ir_in_place_test
