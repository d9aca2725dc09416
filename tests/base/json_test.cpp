#include "base/json.h"

#include "base/json_object.h"
#include "tests/catch.h"

namespace vantage::test::base_json_test {

using namespace vantage;

TEST_CASE("JSON errors name the source, the line and the column", "[unit]") {
  CHECK_THAT(ERROR_OF(parse_json("{\"a\": 1,}", "f")), ContainsSubstring("f:1:9: not valid JSON"));
  CHECK_THAT(ERROR_OF(parse_json("", "f")), ContainsSubstring("f:1:1: not valid JSON"));
  CHECK_THAT(ERROR_OF(parse_json("{} {}", "f")), ContainsSubstring("f:1:4: not valid JSON"));
  CHECK_THAT(ERROR_OF(parse_json("[1e999]", "f")), ContainsSubstring("f:1:6: not valid JSON: number overflow"));
  CHECK_THAT(ERROR_OF(parse_json("\"\xff\"", "f")), ContainsSubstring("not valid JSON"));
}

TEST_CASE("what the JSON library lets pass is refused too", "[unit]") {
  CHECK(ERROR_OF(parse_json("{\"a\": 1, \"a\": 2}", "f")) ==
        "f: the key \"a\" appears twice in one object; keep one of them");
  CHECK_NOTHROW(parse_json("{\"a\": {\"a\": 1}, \"b\": {\"a\": 2}}", "f"));
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  CHECK(ERROR_OF(parse_json(deep, "f")) == "f: nested deeper than 32 levels");
  std::string many = "{\"k\": 0";
  for (int i = 0; i < 100000; ++i) many += ", \"k" + std::to_string(i) + "\": 0";
  CHECK(ERROR_OF(parse_json(many + "}", "f")) == "f: more than 1000 keys in one object");
}

TEST_CASE("what is strict is the same however a text is nested", "[unit]") {
  const auto nested = [](int depth, const std::string& inside) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += i % 2 == 0 ? "[" : "{\"k\": ";
    text += inside;
    for (int i = depth; i-- > 0;) text += i % 2 == 0 ? "]" : "}";
    return text;
  };
  CHECK(parse_json(nested(32, "1"), "f").dump() == Json::parse(nested(32, "1")).dump());
  CHECK(ERROR_OF(parse_json(nested(33, "1"), "f")) == "f: nested deeper than 32 levels");
  CHECK(ERROR_OF(parse_json(R"([{"a": 1}, {"b": {"c": 1}, "d": [{"e": 1}, {"e": 2, "e": 3}]}])", "f")) ==
        "f: the key \"e\" appears twice in one object; keep one of them");
}

TEST_CASE("parsing gives what the JSON library gives, in the order of the text", "[unit]") {
  for (const std::string text :
       {"null", "true", "-7", "18446744073709551615", "-0.5e3", R"("a\u00e9\n")", "[]", "{}", R"([1, [2, {}], "x"])",
        R"({"z": 1, "a": {"z": [true, null], "b": 2.5}, "m": [{"q": 1}, {"q": 2}]})"}) {
    CHECK(parse_json(text, "f") == Json::parse(text));
    CHECK(parse_json(text, "f").dump() == Json::parse(text).dump());
  }
}

// The work is in proportion to the text: a parser that looks at all the earlier objects again for each one would take
// many minutes.
TEST_CASE("an array of very many objects is parsed", "[unit]") {
  constexpr int kObjects = 300'000;
  std::string text = "[{\"i\": 0}";
  for (int i = 1; i < kObjects; ++i) text += fmt::format(", {{\"i\": {}}}", i);
  const Json json = parse_json(text + "]", "f");
  REQUIRE(json.size() == kObjects);
  CHECK(json.back()["i"] == kObjects - 1);
}

}  // namespace vantage::test::base_json_test
