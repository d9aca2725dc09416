#include "base/file.h"
#include "base/json.h"
#include "base/trusted_file.h"
#include "hw/fpga/board.h"
#include "hw/fpga/clock_limit.h"
#include "hw/fpga/synthesis.h"
#include "hw/fpga/synthesis_cache.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"

namespace vantage::test::hw_fpga_fpga_test {

using namespace vantage;
using fpga::Board;

TEST_CASE("the shipped boards are sound and named as their files", "[unit]") {
  int boards = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "configs" / "boards")) {
    if (entry.is_directory()) continue;
    CHECK(Board::load(entry.path()).name == entry.path().stem().string());
    ++boards;
  }
  CHECK(boards >= 5);
}

TEST_CASE("a board's mistakes are named by key", "[unit]") {
  Json json = parse_json(R"({"name": "b", "part": "p", "family": "xc7", "luts": 1, "flip_flops": 1, "dsps": 1,
                             "block_rams": 1, "registers": "0x43c00000", "memory_port": "HP0", "interrupt": 61})",
                         "b");
  CHECK(Board::parse(json.dump(), "b.json").registers == 0x43c00000);
  const auto error_with = [&](const std::string& key, const Json& value) {
    Json changed = json;
    changed[key] = value;
    return ERROR_OF(Board::parse(changed.dump(), "b.json"));
  };
  CHECK(error_with("family", "ice40") == "b.json: family is \"ice40\", expected xc7 or xcup");
  CHECK(error_with("registers", "43c0") ==
        "b.json: registers is \"43c0\", expected 32 bits as text, such as \"0x43c00000\"");
  CHECK(error_with("registers", "0x1234567890") ==
        "b.json: registers is \"0x1234567890\", expected 32 bits as text, such as \"0x43c00000\"");
  CHECK_THAT(error_with("lutz", 1), ContainsSubstring("b.json: unknown key \"lutz\"; did you mean 'luts'?"));
  CHECK_THAT(error_with("dsps", -1), ContainsSubstring("dsps"));
  CHECK(error_with("part", "[exec x]") == "b.json: part is \"[exec x]\", expected letters, digits and . _ : - only");
}

TEST_CASE("a clock that no board has is warned of", "[unit]") {
  const auto board = [](const char* name, int max_clock_mhz) {
    Board made;
    made.name = name;
    made.part = "the part";
    made.max_clock_mhz = max_clock_mhz;
    return made;
  };
  std::vector<Board> boards = {board("pynq-z1", 250), board("pynq-z2", 260), board("zcu104", 333)};
  const auto config = [](const char* target, int clock) {
    return test::changed("default", {{"TARGET", target}, {"CLOCK_MHZ", clock}});
  };
  CHECK_FALSE(fpga::clock_warning(config("pynq", 260), boards));
  CHECK(fpga::clock_warning(config("pynq", 261), boards) ==
        "CLOCK_MHZ is 261, faster than any board that TARGET pynq names: the pynq-z2 has at most 260 MHz; times are "
        "those of no hardware");
  CHECK_FALSE(fpga::clock_warning(config("sim", 333), boards));
  CHECK_THAT(fpga::clock_warning(config("sim", 5000), boards).value(),
             ContainsSubstring("faster than any board that is described: the zcu104 has at most 333 MHz"));
  CHECK_FALSE(fpga::clock_warning(config("sim", 5000), {}));
  CHECK_FALSE(fpga::clock_warning(333, boards[2]));
  CHECK(fpga::clock_warning(333.5, boards[2]) ==
        "a clock of 333.5 MHz is more than the zcu104 can have: at most 333 MHz (the part)");
  boards[2].max_clock_mhz = 0;  // nobody knows
  CHECK_FALSE(fpga::clock_warning(config("sim", 5000), boards));
  CHECK_FALSE(fpga::clock_warning(5000, boards[2]));
}

TEST_CASE("cells are counted as what they take of the part", "[unit]") {
  const auto r = fpga::count_cells(parse_json(R"({"design": {"num_cells_by_type": {"LUT1": 1, "LUT6": 10, "RAM64M": 2,
      "FDRE": 5, "FDSE": 1, "DSP48E1": 3, "RAMB18E1": 3, "RAMB36E1": 2, "CARRY4": 7, "MUXF7": 4}}})",
                                              "stat"));
  CHECK(r.luts == 19);
  CHECK(r.flip_flops == 6);
  CHECK(r.dsps == 3);
  CHECK(r.block_rams == 4);
}

TEST_CASE("a kept result that is damaged, or was put there by someone else, is none", "[unit]") {
  const test::TemporaryFolder cache, other;
  const auto path = cache.path() / "synth" / "core-xc7.json", wrong_name = cache.path() / "synth" / "core-xcup.json";
  std::filesystem::create_directories(path.parent_path());
  std::string told;
  const auto kept = [&](const std::filesystem::path& at) {
    told.clear();
    return fpga::kept_result(cache.path(), at, [&](const std::string& line) { told = line; });
  };
  CHECK_FALSE(kept(path));
  CHECK(told.empty());
  fpga::Synthesis result{.used = {.luts = 1234, .flip_flops = 56, .dsps = 7, .block_rams = 8}, .seconds = 90.125};
  const fpga::PathStep end{
      .net_ns = 0.5, .cell_ns = 0.08, .fan_out = 3, .cell = "FDRE", .pin = "D", .net = "b_q", .at_ns = 1};
  result.timing = {1, {7, 1}, {{.ns = 1, .from_cell = "FDRE", .from = "a_q", .launched_ns = 0.42, .steps = {end}}}};
  fpga::keep_result(cache.path(), path, result);
  CHECK(kept(path) == result);
  CHECK(told.empty());
  const std::string text = read_file(path, Bytes(1 << 12));
  for (size_t at = 0; at < text.size(); ++at) {
    for (const std::string& damaged : {text.substr(0, at), [&] {
                                         std::string bent = text;
                                         bent[at] ^= 1;
                                         return bent;
                                       }()}) {
      write_trusted_file(path, damaged);
      const auto got = kept(path);
      if (got) CHECK(*got == result);  // white space alone
      CHECK(got.has_value() == told.empty());
    }
  }
  write_trusted_file(wrong_name, text);
  CHECK_FALSE(kept(wrong_name));
  fpga::keep_result(other.path(), path, result);
  CHECK_FALSE(kept(path));
  CHECK_THAT(told, ContainsSubstring("it has not the seal of what this cache's programs write"));
}

TEST_CASE("a small core is synthesized once, then its result is known", "[slow]") {
  int started = 0;
  const fpga::SynthesisOptions options{default_cache(), false, [&](const std::string& step) {
                                         if (step.rfind("synthesizing", 0) == 0) ++started;
                                       }};
  const auto first = fpga::synthesize(test::smallest_config(), "xc7", options);
  CHECK(started <= 1);  // none when the cache had it
  CHECK(first.used.luts > 100);
  CHECK(first.used.flip_flops > 100);
  REQUIRE(first.timing);
  CHECK(first.timing->worst_ns > 2);
  CHECK(first.timing->worst_ns < 30);
  CHECK(first.timing->ends() > first.used.flip_flops);
  started = 0;
  CHECK(fpga::synthesize(test::smallest_config(), "xc7", options) == first);
  CHECK(started == 0);
  // The clock is no part of what is synthesized.
  isa::ConfigKeys faster = test::smallest_config().keys();
  faster.clock_mhz = 200;
  const auto both =
      fpga::synthesize({test::smallest_config(), isa::Config::from_keys(faster, "faster")}, "xc7", options, 2);
  CHECK(both == std::vector<fpga::Synthesis>{first, first});
  CHECK(fpga::kept_synthesis(test::smallest_config(), "xc7", default_cache()) == first);
  CHECK_FALSE(fpga::kept_synthesis(test::smallest_config(), "xcup", default_cache() / "nowhere"));
}

}  // namespace vantage::test::hw_fpga_fpga_test
