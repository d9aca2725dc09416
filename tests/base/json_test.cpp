#include "base/json.h"

#include <cmath>

#include "base/json_object.h"
#include "base/stop.h"
#include "tests/catch.h"

namespace vantage::test::base_json_test {

using namespace vantage;

TEST_CASE("JSON errors name the source, the line and the column", "[unit]") {
  CHECK_THAT(ERROR_OF(parse_json("", "f")), ContainsSubstring("f:1:1: not valid JSON"));
  CHECK_THAT(ERROR_OF(parse_json("{} {}", "f")), ContainsSubstring("f:1:4: not valid JSON"));
  CHECK_THAT(ERROR_OF(parse_json("[1e999]", "f")), ContainsSubstring("f:1:6: not valid JSON: number overflow"));
  CHECK_THAT(ERROR_OF(parse_json("\"\xff\"", "f")), ContainsSubstring("not valid JSON"));
}

TEST_CASE("a comma that nothing follows is what the message points at", "[unit]") {
  const std::string reason = ": not valid JSON: nothing follows this comma; remove it";
  CHECK(ERROR_OF(parse_json("{\"a\": 1,}", "f")) == "f:1:8" + reason);
  CHECK(ERROR_OF(parse_json("[1,]", "f")) == "f:1:3" + reason);
  CHECK(ERROR_OF(parse_json("{\n  \"a\": [1, 2],\n  \"b\": [3, 4], \n\n}", "f")) == "f:3:14" + reason);
  CHECK_THAT(ERROR_OF(parse_json("{\"a\"}", "f")), ContainsSubstring("f:1:5: not valid JSON: "));
  CHECK_THAT(ERROR_OF(parse_json("]", "f")), ContainsSubstring("f:1:1: not valid JSON: "));
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
  constexpr int kObjects = 30'000;
  std::string text = "[{\"i\": 0}";
  for (int i = 1; i < kObjects; ++i) text += fmt::format(", {{\"i\": {}}}", i);
  const Json json = parse_json(text + "]", "f");
  REQUIRE(json.size() == kObjects);
  CHECK(json.back()["i"] == kObjects - 1);
}

TEST_CASE("a text of more values than any of our files has is refused, whatever they are", "[unit]") {
  JsonReading reading;
  reading.max_values = 5;
  CHECK(parse_json("[0, [], {}, {\"a\": 1}]", "f", JsonReading{.max_values = 6}).size() == 4);
  for (const std::string text : {"[0, 1, 2, 3, 4]", "[[], [], [], [], []]", R"({"a": {"b": {"c": {"d": {"e": {}}}}}})",
                                 R"(["", "", "", "", ""])"}) {
    CHECK(ERROR_OF(parse_json(text, "f", reading)) == "f: more than 5 values");
  }
  std::string text = "[0";
  for (size_t i = 1; i < kMaxJsonValues; ++i) text += ",0";
  CHECK(ERROR_OF(parse_json(text + "]", "f")) == "f: more than 262144 values");
}

TEST_CASE("the elements of a streamed array are handed over one by one, and not kept", "[unit]") {
  std::string seen;
  JsonReading reading;
  reading.streams = {{"rows", [&](const Json& row, size_t index) { seen += fmt::format("{}:{} ", index, row.dump()); }},
                     {"skipped", nullptr}};
  reading.before_stream = [&](const Json& so_far) { seen += fmt::format("| {} ", so_far.dump()); };
  const Json json = parse_json(R"({"a": 1, "rows": [{"x": 1, "y": [2, {"rows": [3]}]}, {"x": 4}, 5, [], {}],
                                   "inner": {"rows": [6]}, "skipped": [7, {"z": []}], "b": 2})",
                               "f", reading);
  CHECK(json.dump() == R"({"a":1,"rows":[],"inner":{"rows":[6]},"skipped":[],"b":2})");
  CHECK(seen == R"(| {"a":1,"rows":[]} 0:{"x":1,"y":[2,{"rows":[3]}]} 1:{"x":4} 2:5 3:[] 4:{} )"
                R"(| {"a":1,"rows":[],"inner":{"rows":[6]},"skipped":[]} )");
  // Only arrays of the outermost object are streamed, and what is strict elsewhere is strict in them.
  seen.clear();
  CHECK(parse_json(R"([{"rows": [1]}])", "f", reading).dump() == R"([{"rows":[1]}])");
  CHECK(parse_json(R"({"rows": 1})", "f", reading).dump() == R"({"rows":1})");
  CHECK(seen.empty());
  CHECK(ERROR_OF(parse_json(R"({"rows": [{"a": 1, "a": 2}]})", "f", reading)) ==
        "f: the key \"a\" appears twice in one object; keep one of them");
  CHECK_THAT(ERROR_OF(parse_json(R"({"rows": [1, 2,]})", "f", reading)), ContainsSubstring("f:1:15: not valid JSON"));
}

TEST_CASE("a streamed array may have any number of elements, each of which is limited", "[unit]") {
  size_t elements = 0;
  JsonReading reading;
  reading.max_values = 3;
  reading.streams = {{"rows", [&](const Json&, size_t) { ++elements; }}};
  parse_json(R"({"rows": [0, [1, 2], 3, 4, {"a": 5}, 6, 7]})", "f", reading);
  CHECK(elements == 7);
  CHECK(ERROR_OF(parse_json(R"({"rows": [0, [1, 2, 3], 4]})", "f", reading)) == "f: more than 3 values");
}

TEST_CASE("parsing ends soon after it is told to", "[unit]") {
  std::stop_source source;
  JsonReading reading;
  reading.stop = source.get_token();
  size_t elements = 0;
  reading.streams = {{"rows", [&](const Json&, size_t) {
                        if (++elements == 2) source.request_stop();
                      }}};
  CHECK_THROWS_AS(parse_json(R"({"rows": [1, 2, 3, 4]})", "f", reading), Stopped);
  CHECK(elements == 2);
}

TEST_CASE("numbers that are whole have no point", "[unit]") {
  CHECK(json_number(100).dump() == "100");
  CHECK(json_number(-3).dump() == "-3");
  CHECK(json_number(142.857).dump() == "142.857");
  CHECK(json_number(1e300).dump() == "1e+300");
  CHECK(json_number(std::nan("")).dump() == "null");
}

TEST_CASE("bytes that are no UTF-8 are replaced where JSON is written", "[unit]") {
  const Json value = Json::array({"a\xff", 1});
  CHECK(json_line(value) == "[\"a\xef\xbf\xbd\",1]");
  CHECK(json_text(value) == "[\n \"a\xef\xbf\xbd\",\n 1\n]");
}

}  // namespace vantage::test::base_json_test
