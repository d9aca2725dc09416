#include "base/json.h"

#include "tests/catch.h"

using namespace vantage;

TEST_CASE("JSON errors name the source, the line and the column", "[unit]") {
  CHECK_THAT(ERROR_OF(parse_json("{\"a\": 1,}", "f")), ContainsSubstring("f:1:9: not valid JSON"));
  CHECK_THAT(ERROR_OF(parse_json("", "f")), ContainsSubstring("f:1:1: not valid JSON"));
  CHECK_THAT(ERROR_OF(parse_json("{} {}", "f")), ContainsSubstring("f:1:4: not valid JSON"));
  CHECK_THAT(ERROR_OF(parse_json("[1e999]", "f")), ContainsSubstring("f: not valid JSON"));
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

TEST_CASE("typed members say what they expected and what they found", "[unit]") {
  Json json = parse_json(R"({"n": -1, "s": 4, "a": {}, "big": 18446744073709551615})", "f");
  CHECK(ERROR_OF(json_member(json, "x", "f: part")) == "f: part: the key \"x\" is missing");
  CHECK(ERROR_OF(json_unsigned(json, "n", 10, "f")) == "f: \"n\" is -1, expected an integer from 0 to 10");
  CHECK(ERROR_OF(json_string(json, "s", "f")) == "f: \"s\" is 4, expected a string");
  CHECK(ERROR_OF(json_array(json, "a", "f")) == "f: \"a\" is {}, expected an array");
  CHECK(ERROR_OF(json_member(json["a"]["b"], "x", "f")) == "f: expected an object, found null");
  CHECK(json_unsigned(json, "big", UINT64_MAX, "f") == UINT64_MAX);
}
