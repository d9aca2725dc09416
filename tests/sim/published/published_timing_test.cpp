// Descriptions of published machines: the shipped ones are sound, and mistakes are refused by key.
#include "sim/published/published_timing.h"

#include "base/json.h"
#include "hw/isa/config_name.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::sim_published_published_timing_test {

using namespace vantage;
using sim::PublishedTiming;

namespace {

// The default machine's description with one key set to another value, or removed by null.
std::string changed(const std::string& key, const Json& value) {
  Json json = parse_json(sim::published_descriptions().at(1).text, "shipped");
  REQUIRE(json["name"] == "pynq-z1-1x16");
  if (value.is_null()) {
    json.erase(key);
  } else {
    json[key] = value;
  }
  return json.dump();
}

std::string error_of(const std::string& key, const Json& value) {
  return ERROR_OF(PublishedTiming::parse(changed(key, value), "m.json"));
}

}  // namespace

TEST_CASE("the shipped machines are those of the folder, named as their files, of what they say", "[unit]") {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "configs" / "machines")) {
    const std::string name = entry.path().stem().string();
    INFO(name);
    const auto timing = PublishedTiming::find(name);
    CHECK(timing.name == name);
    CHECK(PublishedTiming::find(entry.path().string()).config == timing.config);
    timing.require(isa::config_of_name(timing.config));
    ++files;
  }
  CHECK(files == sim::published_names().size());
  CHECK(files == 3);
}

TEST_CASE("times are kept to a thousandth of a cycle", "[unit]") {
  const auto timing = PublishedTiming::find("pynq-z1-1x16");
  CHECK(timing.load_row.count() == 47'100);
  CHECK(timing.wgt_beat.count() == 2'130);
  CHECK_FALSE(timing.cache);
  CHECK(PublishedTiming::find("pynq-z1-1x16-cache").cache->missed_beat.count() == 1'060);
  CHECK(sim::whole(sim::Millicycles(1'499)).count() == 1);
  CHECK(sim::whole(sim::Millicycles(1'500)).count() == 2);
}

TEST_CASE("descriptions that make no sense are refused by key", "[unit]") {
  CHECK(ERROR_OF(PublishedTiming::parse("[]", "m.json")) == "m.json: expected an object, found []");
  CHECK_THAT(error_of("gemm_stap", 1),
             ContainsSubstring("m.json: unknown key \"gemm_stap\"; did you mean 'gemm_step'?"));
  CHECK_THAT(error_of("wgt_beat", nullptr), ContainsSubstring("m.json: the key \"wgt_beat\" is missing"));
  CHECK_THAT(error_of("wgt_beat", -1), ContainsSubstring("m.json: wgt_beat is -1"));
  CHECK_THAT(error_of("wgt_beat", "2"), ContainsSubstring("m.json: wgt_beat is \"2\""));
  CHECK_THAT(error_of("load_row", 1e7), ContainsSubstring("m.json: load_row"));
  CHECK_THAT(error_of("clock_mhz", 0), ContainsSubstring("m.json: clock_mhz is 0"));
  CHECK_THAT(error_of("config", "1x16"), ContainsSubstring("m.json: config: "));
  const auto cache = [](uint64_t size, uint64_t line, uint64_t ways) {
    return error_of("cache", {{"size", size}, {"line", line}, {"ways", ways}, {"missed_beat", 1}});
  };
  CHECK_THAT(cache(1000, 32, 8), ContainsSubstring("m.json: cache: size is 1000, expected a power of two"));
  CHECK_THAT(cache(1024, 33, 8), ContainsSubstring("m.json: cache: line is 33"));
  CHECK_THAT(cache(1024, 8, 8), ContainsSubstring("m.json: cache: line is 8"));
  CHECK_THAT(cache(uint64_t{1} << 30, 32, 8), ContainsSubstring("m.json: cache: size is 1073741824"));
  CHECK_THAT(cache(1024, 32, 0), ContainsSubstring("m.json: cache: ways is 0"));
  CHECK_THAT(cache(128, 32, 8), ContainsSubstring("room for a line of 32 bytes in each of 8 ways"));
}

TEST_CASE("a machine that nobody knows is refused with the nearest", "[unit]") {
  CHECK_THAT(ERROR_OF(PublishedTiming::find("pynq-z1-1x61")), ContainsSubstring("did you mean 'pynq-z1-1x16'?"));
}

TEST_CASE("a machine is of one configuration, at its clock, on its bus", "[unit]") {
  const auto timing = PublishedTiming::find("pynq-z1-1x16");
  const auto with = [](const std::string& key, int value) {
    Json json = isa::Config::vta_default().to_json();
    json[key] = value;
    return isa::Config::from_json(json, "c.json");
  };
  timing.require(isa::Config::vta_default());
  CHECK_THAT(
      ERROR_OF(timing.require(isa::config_of_name("4x8_i8w8a32_15_16_16_18"))),
      ContainsSubstring("configs/machines/pynq-z1-1x16.json is of configuration 1x16_i8w8a32_15_15_18_17, not 4x8"));
  CHECK_THAT(ERROR_OF(timing.require(with("CLOCK_MHZ", 200))), ContainsSubstring("CLOCK_MHZ is 200; set it to 100"));
  CHECK_THAT(ERROR_OF(timing.require(with("LOG_BUS_WIDTH", 7))), ContainsSubstring("set LOG_BUS_WIDTH to 6"));
}

}  // namespace vantage::test::sim_published_published_timing_test
