// Spaces from JSON: which points they have, which of these are designs, and what is refused.
#include "explore/space.h"

#include <set>

#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_space_test {

using namespace vantage;
using explore::Permutation;
using explore::Sampling;
using explore::Space;

namespace {

Space parse(const std::string& text) {
  return Space::parse(text, "space.json", test::source_dir() / "configs");
}

std::set<std::string> designs(const Space& space) {
  std::set<std::string> found;
  for (uint64_t i = 0; i < space.size(); ++i) {
    const Space::Point point = space.at(i);
    if (point.design) found.insert(to_json(*point.design).dump());
  }
  return found;
}

}  // namespace

TEST_CASE("the project's own spaces have designs", "[unit]") {
  const auto configs = test::source_dir() / "configs";
  int spaces = 0;
  for (const auto& entry : std::filesystem::directory_iterator(configs / "spaces")) {
    INFO(entry.path().string());
    const Space space = Space::load(entry.path(), configs);
    uint64_t found = 0;
    for (uint64_t i = 0; i < space.size(); i += 1 + space.size() / 500) found += space.at(i).design ? 1 : 0;
    CHECK(found > 0);
    ++spaces;
  }
  CHECK(spaces == 8);
}

TEST_CASE("a permutation has every number once", "[unit]") {
  for (const uint64_t size : {1, 2, 3, 5, 16, 17, 1000}) {
    for (const uint64_t seed : {0, 1, 77}) {
      const Permutation permutation(size, seed);
      std::set<uint64_t> seen;
      for (uint64_t i = 0; i < size; ++i) seen.insert(permutation(i));
      CHECK(seen.size() == size);
      CHECK(*seen.rbegin() == size - 1);
    }
  }
}

TEST_CASE("a Latin hypercube takes each value of a parameter equally often", "[unit]") {
  const Sampling sampling = Sampling::latin_hypercube({4, 10, 3}, 60, 5);
  std::vector<std::map<uint64_t, int>> counts(3);
  for (uint64_t i = 0; i < sampling.size(); ++i) {
    const std::vector<uint64_t> places = sampling(i);
    for (size_t p = 0; p < 3; ++p) ++counts[p][places[p]];
  }
  CHECK(counts[0] == std::map<uint64_t, int>{{0, 15}, {1, 15}, {2, 15}, {3, 15}});
  CHECK(counts[1].size() == 10);
  for (const auto& [place, count] : counts[1]) CHECK(count == 6);
  for (const auto& [place, count] : counts[2]) CHECK(count == 20);
}

TEST_CASE("random samples are distinct, the same for a seed, and no more than there are", "[unit]") {
  const auto drawn = [](uint64_t count, uint64_t seed) {
    const Sampling sampling = Sampling::random({5, 7, 3}, count, seed);
    std::vector<std::vector<uint64_t>> all;
    for (uint64_t i = 0; i < sampling.size(); ++i) all.push_back(sampling(i));
    return all;
  };
  const auto some = drawn(40, 1);
  CHECK(std::set(some.begin(), some.end()).size() == 40);
  CHECK(some == drawn(40, 1));
  CHECK(some != drawn(40, 2));
  const auto all = drawn(1000, 3);
  CHECK(std::set(all.begin(), all.end()).size() == 105);
  const std::string message = ERROR_OF(Sampling::product(std::vector<uint64_t>(8, 1000)));
  CHECK_THAT(message, ContainsSubstring("2^62 combinations"));
}

TEST_CASE("a product has every combination that its constraints allow", "[unit]") {
  const Space space = parse(R"({
    "parameters": {"LOG_BLOCK_IN": [3, 4, 5], "LOG_BLOCK_OUT": {"from": 3, "to": 5}, "LOG_ACC_BUFF_SIZE": [16], "memory": ["m1", "m64"],
                   "CLOCK_MHZ": {"from": 100, "to": 200, "step": 50}},
    "constraints": ["MACS == 256", "CLOCK_MHZ > 100 || LOG_BUS_WIDTH == 6"]})");
  CHECK(space.size() == 54);
  CHECK(designs(space).size() == 3 * 2 * 3);
  const auto point = space.at(0);
  REQUIRE(point.rejection);
  CHECK(point.rejection->reason == "MACS == 256");
}

TEST_CASE("a configuration's rules say why a point is no design, numbers aside", "[unit]") {
  const Space space = parse(R"({"parameters": {"LOG_ACC_BUFF_SIZE": [17, 18, 19]}})");
  CHECK(space.at(0).design);
  const auto larger = space.at(1).rejection, largest = space.at(2).rejection;
  REQUIRE((larger && largest));
  CHECK(larger->reason == largest->reason);
  CHECK_THAT(larger->detail, ContainsSubstring("a micro-op needs 12 + 12 + 10 bits"));
}

TEST_CASE("a parameter whose condition does not hold is as in the base, once", "[unit]") {
  const Space space = parse(R"({"parameters": {
    "LOG_BLOCK_OUT": [3, 4], "LOG_ACC_BUFF_SIZE": [15], "LOG_BUS_WIDTH": {"values": [7, 8, 9], "when": "BLOCK_OUT > 8"}}})");
  CHECK(space.size() == 6);
  CHECK(designs(space).size() == 1 + 3);
  CHECK(space.at(0).design->config.keys().log_bus_width == 6);
  CHECK((!space.at(1).design && !space.at(1).rejection));
  CHECK(space.at(4).design->config.keys().log_bus_width == 8);
}

TEST_CASE("LOG_BLOCK stands for both sides of a tile, and points may be written out", "[unit]") {
  const Space square = parse(R"({"parameters": {"LOG_BLOCK": [3, 5]}})");
  CHECK(square.at(1).design->config.block_in() == 32);
  CHECK(square.at(1).design->config.block_out() == 32);
  const Space listed = parse(R"({"base": "8x8", "memory": "m1", "points": [
    {}, {"LOG_BLOCK": 4}, {"LOG_BLOCK_IN": 4, "memory": "ddr3", "CLOCK_MHZ": 50}]})");
  REQUIRE(listed.size() == 3);
  CHECK(listed.at(0).design->config.block_in() == 8);
  CHECK(listed.at(1).design->config.block_out() == 16);
  CHECK(listed.at(1).design->memory.name == "m1");
  CHECK(listed.at(2).design->config.block_in() == 16);
  CHECK(listed.at(2).design->config.block_out() == 8);
  CHECK(listed.at(2).design->memory.name == "ddr3");
}

TEST_CASE("what is no space is refused, with the key and the value", "[unit]") {
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "space.json: there is no point; give \"parameters\" or \"points\""},
      {R"({"parameter": {}})", "parameters"},
      {R"({"parameters": {"LOG_BLOK": [1]}})", "there is no 'LOG_BLOK'; did you mean 'LOG_BLOCK'?"},
      {R"({"parameters": {"LOG_BLOCK": [99]}})", "LOG_BLOCK"},
      {R"({"parameters": {"LOG_BLOCK": []}})", "LOG_BLOCK: has no values"},
      {R"({"parameters": {"LOG_BLOCK": [4, 4]}})", "LOG_BLOCK: has a value twice"},
      {R"({"parameters": {"LOG_BLOCK": {"from": 5, "to": 3}}})", "to"},
      {R"({"parameters": {"LOG_BLOCK": 4}})", "a list of values"},
      {R"({"parameters": {"LOG_BLOCK": {"values": [4], "to": 5}}})", "to is 5, expected no range beside \"values\""},
      {R"({"points": [{}], "sample": {"method": "random", "count": 1}})", "expected \"parameters\" to draw from"},
      {R"({"parameters": {"memory": ["m65"]}})", "did you mean 'm64'?"},
      {R"({"parameters": {"memory": {"from": 1, "to": 2}}})", "memory: has no range"},
      {R"({"base": "defualt", "parameters": {"LOG_BLOCK": [4]}})",
       "space.json: base: defualt: no such file, and no configuration of that name; did you mean 'default'?"},
      {R"({"points": [{"memory": "m65"}]})", "space.json: points: memory: m65"},
      {R"({"parameters": {"LOG_BLOCK": [4]}, "constraints": ["MAC == 256"]})",
       "'MAC == 256': there is no 'MAC'; did you mean 'MACS'?"},
      {R"({"parameters": {"LOG_BLOCK": [4]}, "constraints": ["MACS =="]})", "'MACS ==' is no expression"},
      {R"({"parameters": {"LOG_BLOCK": [4]}, "constraints": ["1, 2"]})", "several expressions"},
      {R"({"parameters": {"LOG_BLOCK": [4, 5]}, "constraints": ["LOG_BLOCK = 4"]})",
       "space.json: constraints: 'LOG_BLOCK = 4' would assign with '='; '==' compares"},
      {R"({"parameters": {"LOG_BLOCK": [4]}, "constraints": ["MACS<=1 && MACS!=2 && MACS==1 && 1=1"]})",
       "would assign"},
      {R"({"parameters": {"LOG_BLOCK": [4]}, "sample": {"method": "random"}})", "count"},
      {R"({"parameters": {"LOG_BLOCK": [4]}, "sample": {"method": "product", "count": 3}})",
       "count is 3, expected none with \"method\": \"product\""},
      {R"({"parameters": {"LOG_BLOCK": [4, 5]}, "sample": {"method": "latin-hypercube", "count": 3}})",
       "count is 3, expected at most the 2 combinations that there are"},
      {R"({"parameters": {"LOG_BLOCK": [4]}, "sample": {"method": "sobol"}})", "method"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text);
    CHECK_THAT(ERROR_OF(parse(text)), ContainsSubstring(message));
  }
}

TEST_CASE("a constraint that has no value is the user's mistake", "[unit]") {
  const Space space = parse(R"({"parameters": {"LOG_BATCH": [0, 1]}, "constraints": ["1 / LOG_BATCH"]})");
  CHECK_THAT(ERROR_OF(space.at(0)), ContainsSubstring("'1 / LOG_BATCH' is inf, which is no number"));
  CHECK(space.at(1).design);
}

}  // namespace vantage::test::explore_space_test
