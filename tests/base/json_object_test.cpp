#include "base/json_object.h"

#include "tests/catch.h"

namespace vantage::test::base_json_object_test {

using namespace vantage;

// It keeps a reference.
static_assert(!std::is_constructible_v<JsonObject, Json, std::string>);
static_assert(!std::is_constructible_v<JsonObject, Json, std::string, std::vector<std::string>>);

namespace {

const Json& example() {
  static const Json json = parse_json(
      R"({"n": -1, "s": 4, "a": {"b": 7}, "big": 18446744073709551615, "x": 2.5, "t": true, "none": null,
          "names": ["one", "two"], "mixed": ["one", 2], "numbers": [1, -2], "list": [{"k": 1}, {"k": "v"}, 3],
          "kind": "fast"})",
      "f");
  return json;
}

}  // namespace

TEST_CASE("members of a JSON object are given with their types", "[unit]") {
  const JsonObject object(example(), "f");
  CHECK(object.natural("big", 0, UINT64_MAX) == UINT64_MAX);
  CHECK(object.integer("n", -1, 1) == -1);
  CHECK(object.number("x", 2.5, 2.5) == 2.5);
  CHECK(object.number("s", 0, 4) == 4);
  CHECK(object.boolean("t"));
  CHECK(object.one_of("kind", {"slow", "fast"}) == "fast");
  CHECK(object.strings("names") == std::vector<std::string>{"one", "two"});
  CHECK(object.integers("numbers", -2, 1) == std::vector<int>{1, -2});
  CHECK(object.object("a").integer("b", 0, 9) == 7);
  CHECK(object.object("a").keys() == std::vector<std::string>{"b"});
  CHECK(object.has("none"));
  CHECK_FALSE(object.has("nothing"));
}

TEST_CASE("a member of the wrong type or out of range is refused with what was expected", "[unit]") {
  const JsonObject object(example(), "f");
  CHECK(ERROR_OF(object.natural("n", 0, 10)) == "f: n is -1, expected an integer from 0 to 10");
  CHECK(ERROR_OF(object.natural("s", 5, 10)) == "f: s is 4, expected an integer from 5 to 10");
  CHECK(ERROR_OF(object.natural("x", 0, 10)) == "f: x is 2.5, expected an integer from 0 to 10");
  CHECK(ERROR_OF(object.integer("big", -5, 5)) == "f: big is 18446744073709551615, expected an integer from -5 to 5");
  CHECK(ERROR_OF(object.integer("n", 0, 5)) == "f: n is -1, expected an integer from 0 to 5");
  CHECK(ERROR_OF(object.number("x", 3, 1000)) == "f: x is 2.5, expected a number from 3 to 1000");
  CHECK(ERROR_OF(object.number("t", 0, 1)) == "f: t is true, expected a number from 0 to 1");
  CHECK(ERROR_OF(object.boolean("s")) == "f: s is 4, expected true or false");
  CHECK(ERROR_OF(object.string("s")) == "f: s is 4, expected a string");
  CHECK(ERROR_OF(object.array("a")) == "f: a is {\"b\":7}, expected an array");
  CHECK(ERROR_OF(object.strings("mixed")) == "f: mixed is [\"one\",2], expected an array of strings");
  CHECK(ERROR_OF(object.integers("numbers", 0, 3)) ==
        "f: numbers is [1,-2], expected an array of integers from 0 to 3");
  CHECK(ERROR_OF(object.one_of("kind", {"slow", "slower", "slowest"})) ==
        "f: kind is \"fast\", expected slow, slower or slowest");
  CHECK(ERROR_OF(object.object("n")) == "f: n is -1, expected an object");
  CHECK(ERROR_OF(object.refuse("kind", "another")) == "f: kind is \"fast\", expected another");
}

TEST_CASE("a missing member is refused by its key, with what belongs there", "[unit]") {
  const JsonObject object(example(), "f: part");
  CHECK(ERROR_OF(object.value("y")) == "f: part: the key \"y\" is missing; add it");
  CHECK(ERROR_OF(object.string("y")) == "f: part: the key \"y\" is missing, expected a string");
  CHECK(ERROR_OF(object.natural("y", 1, 2)) == "f: part: the key \"y\" is missing, expected an integer from 1 to 2");
  CHECK(ERROR_OF(object.object("a").boolean("y")) == "f: part: a: the key \"y\" is missing, expected true or false");
}

TEST_CASE("what is no object, or has a key that its format does not, is refused", "[unit]") {
  const Json null;
  CHECK(ERROR_OF(JsonObject(null, "f")) == "f: expected an object, found null");
  CHECK(ERROR_OF(JsonObject(example()["a"], "f", {"banks", "bb"})) ==
        "f: unknown key \"b\"; did you mean 'banks' or 'bb'?");
  CHECK(ERROR_OF(JsonObject(example(), "f").object("a", {"be"})) == "f: a: unknown key \"b\"; did you mean 'be'?");
  CHECK_NOTHROW(JsonObject(example()["a"], "f", {"b", "c"}));
  // To forget a key in the list is our mistake.
  CHECK_THROWS_AS(JsonObject(example()["a"], "f", {"b"}).has("c"), InternalError);
}

TEST_CASE("members may be absent, or null", "[unit]") {
  const JsonObject object(example(), "f");
  CHECK(object.optional("kind", &JsonObject::string) == "fast");
  CHECK(object.optional("y", &JsonObject::string) == std::nullopt);
  CHECK(object.optional("s", &JsonObject::integer, 0, 9) == 4);
  CHECK(ERROR_OF(object.optional("s", &JsonObject::integer, 0, 3)) == "f: s is 4, expected an integer from 0 to 3");
  CHECK(ERROR_OF(object.optional("none", &JsonObject::string)) == "f: none is null, expected a string");
  CHECK(object.nullable("none", &JsonObject::string) == std::nullopt);
  CHECK(object.nullable("kind", &JsonObject::string) == "fast");
  CHECK(ERROR_OF(object.nullable("y", &JsonObject::string)) == "f: the key \"y\" is missing, expected a string");
}

TEST_CASE("objects in an array are named by their index", "[unit]") {
  const JsonObject object(example(), "f");
  int seen = 0;
  const auto read = [&](const JsonObject& element) {
    ++seen;
    element.integer("k", 0, 9);
  };
  CHECK(ERROR_OF(object.each_object("list", {"k"}, read)) == "f: list[1]: k is \"v\", expected an integer from 0 to 9");
  CHECK(seen == 2);
  const auto skip = [](const JsonObject&) {};
  CHECK(ERROR_OF(object.each_object("list", {"k"}, skip)) == "f: list[2]: expected an object, found 3");
  CHECK(ERROR_OF(object.each_object("list", {"key"}, skip)) == "f: list[0]: unknown key \"k\"; did you mean 'key'?");
}

TEST_CASE("streamed objects are read like those of an array", "[unit]") {
  const auto read = [](const std::string& text) {
    std::vector<int> values;
    JsonReading reading;
    reading.streams = {stream_objects(
        "f", "list", {"k"}, [&](const JsonObject& element) { values.push_back(element.integer("k", 0, 9)); })};
    parse_json(text, "f", reading);
    return values;
  };
  CHECK(read(R"({"list": [{"k": 1}, {"k": 2}]})") == std::vector<int>{1, 2});
  CHECK(ERROR_OF(read(R"({"list": [{"k": 1}, {"k": "v"}]})")) ==
        "f: list[1]: k is \"v\", expected an integer from 0 to 9");
  CHECK(ERROR_OF(read(R"({"list": [{"k": 1}, {"k": 1}, 3]})")) == "f: list[2]: expected an object, found 3");
  CHECK(ERROR_OF(read(R"({"list": [{"j": 1}]})")) == "f: list[0]: unknown key \"j\"; known: k");
}

}  // namespace vantage::test::base_json_object_test
