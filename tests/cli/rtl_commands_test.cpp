// The commands around the hardware: rtl: as a target, its model, its sources, its registers, what it takes of an FPGA.
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "base/json.h"
#include "driver/open/open.h"
#include "driver/runtime/replay.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_rtl_commands_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;

namespace {

void golden(const std::string& name, const std::vector<std::string>& arguments) {
  const auto result = run_cli(arguments);
  CHECK(result.status == 0);
  CHECK(result.err == "");
  const std::string difference = test::compare_golden(name, result.out);
  if (!difference.empty()) FAIL(difference);
}

// Recorded programs on the RTL give what was recorded; returns how many there are.
size_t replay_all(const std::filesystem::path& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Bundle bundle = load_bundle(entry.path());
    const auto device = driver::open_accelerator("rtl:", bundle.config);
    const auto result = driver::replay(*device, bundle);
    INFO(bundle.name << ": " << result.mismatch.value_or(""));
    CHECK(result.ok());
    CHECK(result.run.cycles.has_value());
    ++count;
  }
  return count;
}

// A single multiplier, as a file.
std::string tiny_config(const test::TemporaryFolder& folder) {
  Json keys = parse_json(run_cli({"config", "show", "8x8", "--json"}).out, "stdout")["keys"];
  for (const char* key : {"LOG_BLOCK", "LOG_BLOCK_IN", "LOG_BLOCK_OUT"}) keys[key] = 0;
  keys.update({{"LOG_UOP_BUFF_SIZE", 4}, {"LOG_INP_BUFF_SIZE", 2}, {"LOG_WGT_BUFF_SIZE", 1}, {"LOG_ACC_BUFF_SIZE", 2}});
  return folder.file("tiny.json", keys.dump()).string();
}

}  // namespace

TEST_CASE("the project's own recorded bundles replay on the RTL", "[golden]") {
  CHECK(replay_all(test::source_dir() / "tests" / "data" / "bundles") >= 5);
}

TEST_CASE("bundles recorded from another VTA compiler replay on the RTL", "[slow]") {
  const auto folder = test::source_dir() / ".." / "shared" / "bundles";
  if (!std::filesystem::is_directory(folder)) {
    WARN("SKIPPED: no folder " << folder << "; only the project's own bundles were replayed");
    return;
  }
  CHECK(replay_all(folder) >= 30);
}

// Cycles are part of what these print: a change of the hardware's timing shows here.
TEST_CASE("workloads on the RTL report cycles and stages", "[golden]") {
  golden("run_gemm_rtl.txt", {"run", "gemm", "--target", "rtl:"});
  golden("run_gemm_rtl_ddr3.txt",
         {"run", "gemm", "--m", "64", "--k", "64", "--n", "64", "--target", "rtl:", "--memory", "ddr3"});
  golden("run_mlp_rtl.txt", {"run", "mlp", "--images", "16", "--target", "rtl:"});
}

TEST_CASE("a report's JSON has cycles, and stages that add up to them", "[unit]") {
  const auto result = run_cli({"run", "gemm", "--m", "16", "--k", "16", "--n", "16", "--target", "rtl:", "--json"});
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "stdout");
  const uint64_t cycles = json["cycles"].get<uint64_t>();
  CHECK(cycles > 0);
  CHECK(json["stages"].size() == 3);
  for (const auto& [name, stage] : json["stages"].items()) {
    INFO(name);
    uint64_t sum = 0;
    for (const auto& [state, value] : stage.items()) sum += value.get<uint64_t>();
    CHECK(sum == cycles);
  }
}

TEST_CASE("a memory with time and a trace are refused where they mean nothing", "[unit]") {
  check_refused({"run", "gemm", "--target", "fsim:", "--memory", "m1"}, "target 'fsim:' takes no memory setting");
  check_refused({"run", "gemm", "--target", "fsim:", "--trace", "x.fst"}, "target 'fsim:' records no trace");
  check_refused({"run", "gemm", "--target", "rtl:", "--memory", "m65"}, "did you mean 'm64'?");
  check_refused({"run", "gemm", "--target", "rtl:", "--trace", "/nonexistent/x.fst"}, "/nonexistent/x.fst");
  check_refused({"run", "gemm", "--target", "rtl:", "--trace", "/dev/null"}, "/dev/null: is a device");
  check_refused({"run", "gemm", "--target", "rtl:", "--trace", "a.npy", "--out", "./a.npy"},
                "--out and --trace both name ./a.npy");
  check_refused({"run", "mlp", "--target", "rtl:", "--trace", "a", "--record", "a"},
                "--record and --trace both name a");
}

TEST_CASE("rtl build names the model's file and builds nothing twice", "[unit]") {
  const auto first = run_cli({"rtl", "build", "--json"});
  REQUIRE(first.status == 0);
  const Json list = parse_json(first.out, "stdout");
  REQUIRE(list.size() == 1);
  const std::filesystem::path library = list[0]["library"].get<std::string>();
  REQUIRE(std::filesystem::exists(library));
  const auto time = std::filesystem::last_write_time(library);
  CHECK(run_cli({"rtl", "build", "--json"}).out == first.out);
  CHECK(std::filesystem::last_write_time(library) == time);
  check_refused({"rtl", "build", "--config", "default", "nosuch"}, "nosuch: no such file");
  check_refused({"rtl", "build", "--config", ""}, "--config: the value is empty");
}

TEST_CASE("a trace is written whole, or not at all when the run is ended", "[slow]") {
  const test::TemporaryFolder folder;
  const std::string config = tiny_config(folder);
  const auto trace = folder.path() / "run.fst";
  const std::vector<std::string> run = {"run", "gemm",     "--m",  "16",       "--k",  "16",      "--n",
                                        "16",  "--config", config, "--target", "rtl:", "--trace", trace.string()};
  CHECK(run_cli(run).status == 0);
  CHECK(std::filesystem::file_size(trace) > 10000);
  std::filesystem::remove(trace);

  // Ended in the middle: neither the file nor anything else is left
  std::string line = "timeout -s TERM 1 '" + test::cli_path() + "'";
  for (const std::string& word : run) line += " '" + (word == "16" ? "300" : word) + "'";
  const int status = std::system((line + " >/dev/null 2>&1").c_str());
  CHECK(WEXITSTATUS(status) == 124);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a folder with a setting's name does not hide the setting", "[unit]") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "8x8");
  const std::string line =
      "cd '" + folder.path().string() + "' && '" + test::cli_path() + "' config show 8x8 >/dev/null";
  CHECK(std::system(line.c_str()) == 0);
}

TEST_CASE("rtl export writes a folder or nothing", "[unit]") {
  const test::TemporaryFolder folder;
  const auto out = folder.path() / "vta";
  CHECK(run_cli({"rtl", "export", out.string(), "--config", "8x8"}).status == 0);
  CHECK(std::filesystem::exists(out / "vta.sv"));
  CHECK_THAT(read_file(out / "vta_pkg.sv", Bytes(1 << 20)), ContainsSubstring("localparam int BlockIn = 8;"));
  CHECK_FALSE(std::filesystem::exists(out / "vivado.tcl"));
  check_refused({"rtl", "export", out.string()}, "exists already and is not overwritten");

  const auto project = folder.path() / "vivado";
  check_refused({"rtl", "export", project.string(), "--board", "ultra96"}, "board ultra96 has family xcup");
  CHECK_FALSE(std::filesystem::exists(project));
  CHECK(run_cli({"rtl", "export", project.string(), "--board", "pynq-z2"}).status == 0);
  CHECK(std::filesystem::exists(project / "vivado.tcl"));
  CHECK_THAT(read_file(project / "settings.tcl", Bytes(1 << 20)), ContainsSubstring("set registers 0x43c00000"));
}

TEST_CASE("rtl registers as text and as JSON", "[unit]") {
  CHECK_THAT(run_cli({"rtl", "registers"}).out, ContainsSubstring("| 0x004 | `STATUS` | 32 | RW |"));
  const Json list = parse_json(run_cli({"rtl", "registers", "--json"}).out, "stdout");
  const auto status = std::find_if(list.begin(), list.end(), [](const Json& r) { return r["name"] == "STATUS"; });
  REQUIRE(status != list.end());
  CHECK((*status)["offset"] == 4);
  CHECK((*status)["access"] == "RW");
}

TEST_CASE("synth refuses what it does not know before it starts", "[unit]") {
  check_refused({"synth", "--config", "nosuch"}, "nosuch: no such file, and no configuration of that name");
  check_refused({"synth", "--config", "default", "nosuch"}, "nosuch: no such file, and no configuration of that name");
  check_refused({"synth", "--paths", "3"}, "--paths requires --timing");
  check_refused({"synth", "--board", "pynq"},
                "pynq: no such file, and no board of that name; did you mean 'pynq-z1' or 'pynq-z2'?");
}

TEST_CASE("synth --estimate tells at once what a core takes of a part, and where the estimate is beyond what it knows",
          "[unit]") {
  const auto large = run_cli({"synth", "--estimate", "--part", "xc7z010", "--config", "8x8", "32x32"});
  CHECK(large.status == 1);
  CHECK_THAT(large.out, ContainsSubstring("xc7z010 (xc7z010clg400-1), by estimate") && ContainsSubstring("%!"));
  CHECK_THAT(large.err, ContainsSubstring("error: 32x32 does not fit the xc7z010clg400-1: it takes") &&
                            ContainsSubstring("warning: 32x32: LOG_BLOCK_OUT is 5, and the estimate was fitted from"));
  const Json json = parse_json(run_cli({"synth", "--estimate", "--config", "8x8", "--json"}).out, "stdout");
  CHECK(json["ok"] == true);
  CHECK(json["board"] == "pynq-z1");
  CHECK(json["cores"][0]["used"]["dsps"] == 60);
  CHECK(json["cores"][0]["used"]["block_rams"] == 61);
  CHECK(json["cores"][0]["estimate"]["covered"] == true);
  CHECK(json["cores"][0]["estimate"]["terms"]["lanes_32"] == 8);
  check_refused({"synth", "--estimate", "--part", "nosuch"}, "nosuch: no such file, and no part or board of that name");
  check_refused({"synth", "--estimate", "--part", "zcu10"}, "did you mean 'zcu104'?");
  check_refused({"synth", "--estimate", "--anew"}, "--estimate excludes --anew");
  check_refused({"synth", "--estimate", "--jobs", "2"}, "--estimate excludes --jobs");
}

TEST_CASE("synth tells what fits and what does not", "[slow]") {
  const test::TemporaryFolder folder;
  const std::string config = tiny_config(folder);
  const auto fits = run_cli({"synth", "--config", config, "--json"});
  CHECK(fits.status == 0);
  const Json json = parse_json(fits.out, "stdout");
  CHECK(json["ok"] == true);
  CHECK(json["cores"][0]["fits"] == true);
  CHECK(json["cores"][0]["used"]["luts"].get<int>() > 100);
  CHECK(json["available"]["dsps"] == 220);

  // On a board that has next to nothing
  Json board = parse_json(read_file(test::source_dir() / "configs/boards/pynq-z1.json", Bytes(1 << 16)), "board");
  board.update({{"name", "small"}, {"luts", 100}});
  const auto misses =
      run_cli({"synth", "--config", config, "--board", folder.file("small.json", board.dump()).string()});
  CHECK(misses.status == 1);
  CHECK_THAT(misses.out, ContainsSubstring("small (xc7z020clg400-1), by Yosys") && ContainsSubstring("%!"));
  CHECK_THAT(misses.err, ContainsSubstring("tiny.json does not fit the xc7z020clg400-1"));
}

TEST_CASE("a front and designs side by side have what Yosys counts, where it is asked for", "[slow]") {
  const test::TemporaryFolder folder;
  const std::string config = tiny_config(folder);
  const Json used = parse_json(run_cli({"synth", "--config", config, "--json"}).out, "synth").at("cores")[0].at("used");
  const Json space = {{"base", config}, {"points", {Json::object(), {{"CLOCK_MHZ", 1000}}}}};
  const std::vector<std::string> explore = {"explore",       folder.file("space.json", space.dump()).string(),
                                            "--workloads",   "gemm:2x2x2",
                                            "--minimize",    "ms,luts",
                                            "--db",          (folder.path() / "d.sqlite").string(),
                                            "--certificate", (folder.path() / "front.json").string(),
                                            "--synth"};
  const auto told = run_cli(explore);
  INFO(told.err);
  REQUIRE(told.status == 0);
  CHECK_THAT(told.out, ContainsSubstring("what Yosys counts (xc7), and how far the estimate is off") &&
                           ContainsSubstring("none of these is beaten by another one") &&
                           ContainsSubstring("(1000)!") && ContainsSubstring("not expected to reach their CLOCK_MHZ"));
  std::vector<std::string> words = explore;
  words.insert(words.end(), {"--json", "--part", "xc7z020"});
  const Json synthesized = parse_json(run_cli(words).out, "explore").at("synthesized");
  REQUIRE(synthesized.size() == 1);
  CHECK(synthesized[0].at("point") == 1);
  CHECK(synthesized[0].at("used") == used);
  CHECK(synthesized[0].at("fits") == true);
  CHECK(synthesized[0].at("timing").at("clock_mhz") == 1000);

  const std::vector<std::string> compare = {"compare", "designs", config, "--workloads", "gemm:2x2x2", "--synth"};
  const auto table = run_cli(compare);
  CHECK_THAT(table.out, ContainsSubstring("xc7z020 (xc7z020clg400-1), by Yosys") && ContainsSubstring("slack ns"));
  words = compare;
  words.push_back("--json");
  const Json json = parse_json(run_cli(words).out, "compare");
  CHECK(json.at("areas")[0].at("used") == used);
  CHECK(json.at("areas")[0].at("timing").at("clock_mhz") == 100);
  CHECK(json.at("rows")[0].at("used") == used);
  CHECK(json.at("rows")[0].at("extrapolated") == false);
}

}  // namespace vantage::test::cli_rtl_commands_test
