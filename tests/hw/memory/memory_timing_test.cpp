#include "hw/memory/memory_timing.h"

#include "base/file.h"
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::hw_memory_memory_timing_test {

using namespace vantage;

namespace {

std::string error_of(const std::string& json) {
  return ERROR_OF(MemoryTiming::parse(json, "m.json", 100));
}

}  // namespace

TEST_CASE("the shipped settings are sound, named as their files, and written as they were read", "[unit]") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "configs" / "memory")) {
    for (const int clock : {1, 100, 333}) {
      const auto timing = MemoryTiming::load(entry.path(), clock);
      CHECK(timing.name == entry.path().stem().string());
      CHECK(MemoryTiming::parse(timing.to_json().dump(), "again", clock) == timing);
    }
    ++files;
  }
  CHECK(files == 11);
  CHECK(MemoryTiming::load(test::source_dir() / "configs" / "memory" / "m64.json", 100) == MemoryTiming{});
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
  CHECK(
      error_of(R"({"name": "x", "banks": {"refresh_interval_ns": 100}})") ==
      "m.json: banks: refresh_interval_ns is 100, 10 cycles at 100 MHz, but without refresh nothing happens then; give "
      "both or neither");
}

TEST_CASE("nanoseconds become whole cycles of the clock, never fewer than they are", "[unit]") {
  const auto latency = [](const std::string& ns, int clock) {
    return MemoryTiming::parse(R"({"name": "x", "read_latency_ns": )" + ns + "}", "m.json", clock).read_latency.count();
  };
  CHECK(latency("300", 100) == 30);
  CHECK(latency("300", 333) == 100);  // 99.9
  CHECK(latency("300", 250) == 75);
  CHECK(latency("13.75", 400) == 6);  // 5.5
  CHECK(latency("13.75", 800) == 11);
  CHECK(latency("0", 100) == 0);
  CHECK(latency("0.001", 100) == 1);
  CHECK(latency("1e7", 100) == 1'000'000);
  CHECK(error_of(R"({"name": "x", "read_latency_ns": 10000001})") ==
        "m.json: read_latency_ns is 10000001, which is 1000001 cycles at 100 MHz; expected at most 1000000 cycles");
  CHECK(error_of(R"({"name": "x", "read_latency_ns": -1})") ==
        "m.json: read_latency_ns is -1, expected a number from 0 to 1000000000");
  const auto banks =
      MemoryTiming::parse(
          R"({"name": "x", "banks": {"activate_ns": 13.75, "refresh_interval_ns": 7800, "refresh_ns": 260}})", "m.json",
          200)
          .banks.value();
  CHECK(banks.activate == Cycles(3));
  CHECK(banks.refresh_interval == Cycles(1560));
  CHECK(banks.refresh == Cycles(52));
}

TEST_CASE("gigabytes a second are a share of the bus that a faster clock does not enlarge", "[unit]") {
  const auto memory = [](int clock) {
    return MemoryTiming::parse(R"({"name": "x", "gbytes_per_s": 2.1})", "m.json", clock);
  };
  CHECK(memory(100).rate == MemoryRate{2100, 100});
  CHECK(memory(100).gbytes_per_s(Bytes(8), 100) == Approx(0.8));  // what the bus carries
  CHECK(memory(100).gbytes_per_s(Bytes(64), 100) == Approx(2.1));
  CHECK(memory(400).gbytes_per_s(Bytes(8), 400) == Approx(2.1));
  CHECK(MemoryTiming{}.gbytes_per_s(Bytes(8), 100) == Approx(0.8));
  // Whole megabytes, and never more than are given.
  for (const auto& [given, megabytes] : {std::pair{"0.57", 570U}, {"0.29", 290U}, {"0.0015", 1U}, {"1.0667", 1066U}}) {
    const std::string text = fmt::format(R"({{"name": "x", "gbytes_per_s": {}}})", given);
    CHECK(MemoryTiming::parse(text, "m.json", 100).rate.bytes == megabytes);
  }
  CHECK(nanoseconds(Cycles(30), 100) == Approx(300));
}

TEST_CASE("what is said in cycles and in nanoseconds at once is refused", "[unit]") {
  CHECK(error_of(R"({"name": "x", "read_latency": 30, "read_latency_ns": 300})") ==
        "m.json: read_latency is 30 and read_latency_ns is 300, which say the same twice; keep read_latency_ns for a "
        "memory that is as fast at any CLOCK_MHZ, or read_latency");
  CHECK_THAT(error_of(R"({"name": "x", "gbytes_per_s": 3, "bytes_per_cycle": 2})"),
             ContainsSubstring("bytes_per_cycle is 2 and gbytes_per_s is 3, which say the same twice"));
  CHECK_THAT(error_of(R"({"name": "x", "banks": {"refresh": 1, "refresh_ns": 10}})"),
             ContainsSubstring("m.json: banks: refresh is 1 and refresh_ns is 10"));
  CHECK_THAT(error_of(R"({"name": "x", "latency_ns": 3})"), ContainsSubstring("unknown key \"latency_ns\""));
}

TEST_CASE("a memory lists its times by their keys", "[unit]") {
  MemoryTiming timing;
  CHECK(timing.times().size() == 3);
  timing.banks.emplace().activate = Cycles(7);
  const auto times = timing.times();
  REQUIRE(times.size() == 8);
  CHECK(times[3].name == "banks.activate");
  CHECK(times[3].cycles == Cycles(7));
}

TEST_CASE("docs/settings.md has every key of memories and boards", "[unit]") {
  const std::string page = read_file(test::source_dir() / "docs" / "settings.md", Bytes(1 << 20));
  MemoryTiming timing;
  timing.rate = {2, 1};
  timing.source = "a data sheet";
  timing.banks.emplace();
  const Json memory = timing.to_json();
  const auto board_file = test::source_dir() / "configs" / "boards" / "pynq-z1.json";
  const Json board = parse_json(read_file(board_file, Bytes(1 << 16)), "board");
  for (const Json& object : {memory, memory["banks"], board}) {
    for (const auto& [key, value] : object.items()) CHECK_THAT(page, ContainsSubstring("`" + key + "`"));
  }
  CHECK_THAT(page, ContainsSubstring("`gbytes_per_s`") && ContainsSubstring("`_ns`"));
}

}  // namespace vantage::test::hw_memory_memory_timing_test
