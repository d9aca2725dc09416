#include "sim/memory/memory_timing.h"

#include "base/file.h"
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::sim_memory_memory_timing_test {

using namespace vantage;
using sim::MemoryTiming;

namespace {

std::string error_of(const std::string& json) {
  return ERROR_OF(MemoryTiming::parse(json, "m.json"));
}

}  // namespace

TEST_CASE("the shipped settings are sound, named as their files, and written as they were read", "[unit]") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "configs" / "memory")) {
    const auto timing = MemoryTiming::load(entry.path());
    CHECK(timing.name == entry.path().stem().string());
    CHECK(MemoryTiming::parse(timing.to_json().dump(), "again") == timing);
    ++files;
  }
  CHECK(files == 5);
  CHECK(MemoryTiming::load(test::source_dir() / "configs" / "memory" / "m64.json") == MemoryTiming{});
}

TEST_CASE("memory settings that make no sense are refused by key", "[unit]") {
  CHECK(error_of("[]") == "m.json: expected an object, found []");
  CHECK_THAT(error_of("{}"), ContainsSubstring("name"));
  CHECK_THAT(error_of(R"({"name": "x", "read_latancy": 3})"),
             ContainsSubstring("m.json: unknown key \"read_latancy\"; did you mean 'read_latency'?"));
  CHECK_THAT(error_of(R"({"name": "x", "read_latency": 1000001})"), ContainsSubstring("read_latency"));
  CHECK(error_of(R"({"name": "x", "bytes_per_cycle": 0})") ==
        "m.json: bytes_per_cycle is 0, expected a power of two from 1 to 64");
  CHECK(error_of(R"({"name": "x", "bytes_per_cycle": 3})") ==
        "m.json: bytes_per_cycle is 3, expected a power of two from 1 to 64");
  CHECK_THAT(error_of(R"({"name": "x", "banks": 8})"), ContainsSubstring("m.json: banks is 8, expected an object"));
  CHECK_THAT(error_of(R"({"name": "x", "banks": {"rows": 8}})"),
             ContainsSubstring("m.json: banks: unknown key \"rows\""));
  CHECK(error_of(R"({"name": "x", "banks": {"refresh_interval": 10, "refresh": 10}})") ==
        "m.json: banks: refresh is 10, which must be less than refresh_interval, 10");
  CHECK_THAT(error_of(R"({"name": "x", "banks": {"refresh": 10}})"), ContainsSubstring("without refresh_interval"));
}

TEST_CASE("docs/settings.md has every key of memories and boards", "[unit]") {
  const std::string page = read_file(test::source_dir() / "docs" / "settings.md", Bytes(1 << 20));
  MemoryTiming timing;
  timing.bytes_per_cycle = Bytes(2);
  timing.banks.emplace();
  const Json memory = timing.to_json();
  const auto board_file = test::source_dir() / "configs" / "boards" / "pynq-z1.json";
  const Json board = parse_json(read_file(board_file, Bytes(1 << 16)), "board");
  for (const Json& object : {memory, memory["banks"], board}) {
    for (const auto& [key, value] : object.items()) CHECK_THAT(page, ContainsSubstring("`" + key + "`"));
  }
}

}  // namespace vantage::test::sim_memory_memory_timing_test
