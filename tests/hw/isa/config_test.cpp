#include "hw/isa/config.h"

#include <fmt/format.h>

#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"

namespace vantage::test::hw_isa_config_test {

using namespace vantage;
using isa::Config;
using isa::Memory;

namespace {

// VTA's default with one key changed; null removes it.
Json with(const std::string& key, const Json& value) {
  Json json = Config::vta_default().to_json();
  json.erase("LOG_BLOCK_IN");
  json.erase("LOG_BLOCK_OUT");
  if (value.is_null()) {
    json.erase(key);
  } else {
    json[key] = value;
  }
  return json;
}

std::string error_with(const std::string& key, const Json& value) {
  return ERROR_OF(Config::from_json(with(key, value), "my.json"));
}

}  // namespace

TEST_CASE("the default configuration has the depths and the name that isa.md states", "[unit]") {
  const Config config = Config::vta_default();
  CHECK(config.name() == "1x16_i8w8a32_15_15_18_17");
  CHECK(config.depth(Memory::kUop).count() == 8192);
  CHECK(config.depth(Memory::kInp).count() == 2048);
  CHECK(config.depth(Memory::kWgt).count() == 1024);
  CHECK(config.depth(Memory::kAcc).count() == 2048);
  CHECK(config.depth(Memory::kOut).count() == 2048);
  CHECK(config.element_size(Memory::kInp).count() == 16);
  CHECK(config.element_size(Memory::kWgt).count() == 256);
  CHECK(config.element_size(Memory::kAcc).count() == 64);
  CHECK(config.element_size(Memory::kOut).count() == 16);
  CHECK(config.element_size(Memory::kAcc8).count() == 16);
  CHECK(config.bus_width().count() == 8);
  CHECK(config.clock_mhz() == 100);
}

TEST_CASE("a tile that is not square has its own depth, columns and name", "[unit]") {
  const Config config = test::shipped_config("16x32");
  CHECK(config.block_in() == 16);
  CHECK(config.block_out() == 32);
  CHECK(config.name() == "1x16x32_i8w8a32_15_15_19_18");
  CHECK(config.element_size(Memory::kWgt).count() == 512);
  CHECK(config.element_size(Memory::kOut).count() == 32);
}

TEST_CASE("every shipped configuration is valid, complete and round-trips through JSON", "[unit]") {
  CHECK(test::shipped_config_names().size() >= 9);
  for (const std::string& name : test::shipped_config_names()) {
    const Config config = test::shipped_config(name);
    CHECK(Config::from_json(config.to_json(), "again") == config);
  }
  CHECK(test::shipped_config("default") == Config::vta_default());
}

TEST_CASE("random valid configurations round-trip through JSON", "[property]") {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const Config config = test::random_config(seed);
    CHECK(Config::from_json(config.to_json(), "again") == config);
  }
}

TEST_CASE("an unknown key is refused with the nearest known one", "[unit]") {
  CHECK(error_with("LOG_BLOK", 4) == "my.json: unknown key \"LOG_BLOK\"; did you mean 'LOG_BLOCK'?");
  CHECK_THAT(error_with("COLOUR", 4), ContainsSubstring("unknown key \"COLOUR\"; known: TARGET, HW_VER, "));
}

TEST_CASE("a missing key is refused with what to add", "[unit]") {
  CHECK(error_with("LOG_BATCH", nullptr) ==
        "my.json: the key LOG_BATCH is missing; add \"LOG_BATCH\": 0 for VTA's default (log2 of the rows of the GEMM "
        "tile)");
  CHECK_THAT(error_with("HW_VER", nullptr), ContainsSubstring("add \"HW_VER\": \"0.0.2\""));
}

TEST_CASE("a value of the wrong kind or out of range is refused with key, value and range", "[unit]") {
  for (const Json& bad :
       {Json(-1), Json(9), Json(1.5), Json("4"), Json::array(), Json(uint64_t{1} << 63), Json(true)}) {
    CHECK_THAT(error_with("LOG_BLOCK", bad),
               ContainsSubstring("my.json: LOG_BLOCK is " + bad.dump() + ", expected an integer from 0 to 8"));
  }
  CHECK_THAT(
      error_with("TARGET", 7),
      ContainsSubstring("my.json: TARGET is 7, expected sim, tsim, pynq, ultra96, zcu104, de10nano or intelfocl"));
  CHECK_THAT(error_with("TARGET", ""), ContainsSubstring("TARGET is \"\""));
  CHECK_THAT(error_with("TARGET", "a\x1b[2J"), ContainsSubstring("TARGET is \"a\\u001b[2J\""));
  CHECK_THAT(error_with("CLOCK_MHZ", 0), ContainsSubstring("CLOCK_MHZ is 0, expected an integer from 1"));
  CHECK_THAT(ERROR_OF(Config::parse("[1]", "my.json")), ContainsSubstring("my.json: expected an object, found [1]"));
}

TEST_CASE("a string that nobody knows is refused with the ones that are known", "[unit]") {
  CHECK(error_with("HW_VER", "9") == "my.json: HW_VER is \"9\", expected 0.0.1 or 0.0.2 (VTA's hardware version)");
  CHECK_THAT(error_with("HW_VER", "0.0.3"), ContainsSubstring("expected 0.0.1 or 0.0.2"));
  CHECK_THAT(error_with("TARGET", "pynk"), ContainsSubstring("; did you mean 'pynq'?"));
}

TEST_CASE("a size where its logarithm is wanted is answered with the logarithm", "[unit]") {
  CHECK(error_with("LOG_INP_BUFF_SIZE", 32768) ==
        "my.json: LOG_INP_BUFF_SIZE is 32768, expected an integer from 0 to 24; 32768 bytes is 15 (log2 of the input "
        "scratchpad in bytes)");
  CHECK_THAT(error_with("LOG_BLOCK", 16), ContainsSubstring("; 16 lanes is 4 ("));
  CHECK_THAT(error_with("LOG_INP_WIDTH", 8), ContainsSubstring("; 8 bits is 3 ("));
  CHECK_THAT(error_with("LOG_ACC_WIDTH", 32), ContainsSubstring("; 32 bits is 5 ("));
  CHECK_THAT(error_with("LOG_BUS_WIDTH", 128), ContainsSubstring("; 128 bits is 7 ("));
  CHECK_THAT(error_with("LOG_BATCH", 16), ContainsSubstring("; 16 rows is 4 ("));
  CHECK_THAT(error_with("LOG_WGT_BUFF_SIZE", 100000), ContainsSubstring("; it is a logarithm: 262144 bytes is 18 ("));
  CHECK_THAT(error_with("LOG_INP_WIDTH", 5), ContainsSubstring("; it is a logarithm: 8 bits is 3 ("));
  CHECK(error_with("CLOCK_MHZ", 8192) ==
        "my.json: CLOCK_MHZ is 8192, expected an integer from 1 to 5000 (clock frequency in MHz; default 100)");
}

TEST_CASE("sides of the tile that disagree are refused, and agreeing ones are not", "[unit]") {
  const auto sides = [](int block, const Json& more) {
    Json json = with("LOG_BLOCK", block);
    json.update(more);
    return json;
  };
  CHECK(ERROR_OF(Config::from_json(sides(5, {{"LOG_BLOCK_IN", 4}, {"LOG_BLOCK_OUT", 4}}), "my.json")) ==
        "my.json: LOG_BLOCK is 5 and LOG_BLOCK_IN is 4, which disagree on the tile's depth; set both to the same, and "
        "LOG_BLOCK_OUT for a tile that is not square");
  CHECK(ERROR_OF(Config::from_json(sides(4, {{"LOG_BLOCK_OUT", 3}}), "my.json")) ==
        "my.json: LOG_BLOCK is 4 and LOG_BLOCK_OUT is 3, which disagree on the tile's columns; set both to the same, "
        "or add \"LOG_BLOCK_IN\": 4 for a tile that is not square");
  const Json small = {{"LOG_BLOCK_IN", 4}, {"LOG_BLOCK_OUT", 3}, {"LOG_WGT_BUFF_SIZE", 17}, {"LOG_ACC_BUFF_SIZE", 16}};
  CHECK(Config::from_json(sides(4, small), "my.json").block_out() == 8);
  CHECK(Config::from_json(sides(4, {{"LOG_BLOCK_IN", 4}}), "my.json") == Config::vta_default());
}

TEST_CASE("an element wider than its scratchpad is refused", "[unit]") {
  CHECK(error_with("LOG_WGT_BUFF_SIZE", 7) ==
        "my.json: LOG_WGT_BUFF_SIZE is 7 (128 bytes), but one wgt element has 256 bytes; use at least 8 or a smaller "
        "tile");
  CHECK_THAT(error_with("LOG_ACC_BUFF_SIZE", 5), ContainsSubstring("one acc element has 64 bytes; use at least 6"));
}

TEST_CASE("an instruction that does not fit 128 bits is refused by the name of its field", "[unit]") {
  // U = 14 pushes iter_in into the second word, where the factors then no longer fit.
  CHECK(error_with("LOG_UOP_BUFF_SIZE", 16) ==
        "my.json: GEMM instructions do not fit 128 bits: their field wgt_factor_out would start a third 64-bit word; "
        "shrink LOG_ACC_BUFF_SIZE, LOG_INP_BUFF_SIZE, LOG_WGT_BUFF_SIZE or LOG_UOP_BUFF_SIZE");
  // A = 12 with W = 8: the micro-op still fits, the ALU instruction no longer.
  Json json = with("LOG_ACC_BUFF_SIZE", 18);
  json["LOG_WGT_BUFF_SIZE"] = 16;
  CHECK(ERROR_OF(Config::from_json(json, "my.json")) ==
        "my.json: ALU instructions do not fit 128 bits: their field imm would start a third 64-bit word; shrink "
        "LOG_ACC_BUFF_SIZE or LOG_UOP_BUFF_SIZE");
}

TEST_CASE("a micro-op that does not fit 32 bits is refused", "[unit]") {
  CHECK_THAT(error_with("LOG_WGT_BUFF_SIZE", 19),
             ContainsSubstring("my.json: a micro-op needs 11 + 11 + 11 bits for dst, src and wgt, more than its 32"));
}

TEST_CASE("other combinations that no machine could run are refused", "[unit]") {
  Json json = with("LOG_INP_WIDTH", 0);
  json["LOG_BLOCK"] = 1;
  CHECK_THAT(ERROR_OF(Config::from_json(json, "my.json")),
             ContainsSubstring("the input element has 2 bits, less than a"));
  json = with("LOG_BLOCK", 0);
  json["LOG_ACC_BUFF_SIZE"] = 24;
  CHECK_THAT(ERROR_OF(Config::from_json(json, "my.json")), ContainsSubstring("16-bit sram_base"));
}

TEST_CASE("a file that is not there, or not JSON, is named", "[unit]") {
  CHECK_THAT(ERROR_OF(Config::load("/nonexistent/x.json")), ContainsSubstring("/nonexistent/x.json: cannot be read"));
  CHECK_THAT(ERROR_OF(Config::load("/")), ContainsSubstring("is a directory"));
  CHECK_THAT(ERROR_OF(Config::parse("{\n \"TARGET\": \"sim\",\n oops\n}", "my.json")),
             ContainsSubstring("my.json:3:2: not valid JSON"));
}

}  // namespace vantage::test::hw_isa_config_test
