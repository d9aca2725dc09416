// run conv, run elementwise and lower: what they print, record and refuse.
#include "base/file.h"
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_compiler_commands_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;

namespace {

Json run_json(std::vector<std::string> words) {
  words.emplace_back("--json");
  const auto result = run_cli(words);
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.err == "");
  Json json = parse_json(result.out, "stdout");
  CHECK(json["ok"] == true);
  return json;
}

const std::vector<std::string> kSmallConv = {"--in-channels", "20", "--out-channels", "24", "--height", "9",
                                             "--width",       "7",  "--kernel",       "3",  "--stride", "2"};

std::vector<std::string> words(std::initializer_list<const char*> first, const std::vector<std::string>& then = {},
                               std::initializer_list<const char*> last = {}) {
  std::vector<std::string> all(first.begin(), first.end());
  all.insert(all.end(), then.begin(), then.end());
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

}  // namespace

TEST_CASE("run conv checks any shape on any configuration and machine", "[unit]") {
  for (const char* config : {"default", "8x8", "batch2", "16x32", "int4"}) {
    for (const char* target : {"fsim:", "systemc:"}) {
      const Json json = run_json(words({"run", "conv"}, kSmallConv, {"--config", config, "--target", target}));
      CHECK(json["workload"]["name"] == "conv");
      CHECK(json["workload"]["shape"]["stride"] == 2);
      CHECK(json.contains("cycles") == (std::string(target) == "systemc:"));
    }
  }
  const Json unequal =
      run_json({"run", "conv", "--in-channels", "20", "--out-channels", "18", "--height", "9", "--width", "12",
                "--kernel", "3x1", "--stride", "2x1", "--pad", "1,0,2,0", "--dilation", "2"});
  CHECK(unequal["ok"] == true);
  CHECK(unequal["workload"]["shape"]["kernel"] == Json{3, 1});
  CHECK(unequal["workload"]["shape"]["pad"] == Json{1, 0, 2, 0});
  CHECK(unequal["workload"]["shape"]["dilation"] == 2);
  const Json chosen = run_json(words({"run", "conv"}, kSmallConv, {"--tile-oc", "1", "--tile-h", "2", "--batch", "3"}));
  CHECK(chosen["workload"]["mapping"]["parts"][0]["tile"].value("oc", 1) == 1);
  CHECK(chosen["workload"]["mapping"]["parts"][0]["tile"]["h"] == 2);
  CHECK(chosen["workload"]["shape"]["batch"] == 3);
  const auto text = run_cli({"run", "conv", "--layer", "C11", "--target", "fsim:"});
  CHECK(text.status == 0);
  CHECK_THAT(text.out, ContainsSubstring("1x512x7x7 to 512 channels, 3x3, stride 1, pad 1") &&
                           ContainsSubstring("All 25088 results equal those of plain loops."));
}

TEST_CASE("a mapping that a run saved is taken by another, and what it costs is explained", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "mapping.json").string();
  const auto with = [](std::vector<std::string> command, const std::vector<std::string>& more) {
    command.insert(command.end(), more.begin(), more.end());
    return command;
  };
  const std::vector<std::string> conv = words({"run", "conv"}, kSmallConv);
  const std::vector<std::string> gemm = {"run", "gemm", "--m", "20", "--k", "70", "--n", "50"};
  for (const auto& [command, blocks] : std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
           {conv, {}}, {gemm, {}}, {gemm, {"--blocks"}}, {gemm, {"--block-n", "32", "--virtual-threads", "2"}}}) {
    const Json saved = run_json(with(with(command, blocks), {"--save-mapping", file}));
    const Json& search = saved["workload"]["search"];
    CHECK(search["cycles"] >= search["bound"]);
    CHECK(search["gap"] >= 0);
    const Json taken = run_json(with(command, {"--mapping", file}));
    CHECK(taken["cycles"] == saved["cycles"]);
    CHECK(taken["workload"]["mapping"] == saved["workload"]["mapping"]);
    const auto explained = run_cli(with(command, {"--mapping", file, "--explain"}));
    CHECK(explained.status == 0);
    for (const char* part :
         {"searched no: it was given; a search finds one of", "is within", "bound by", "with twice the bus"}) {
      CHECK_THAT(explained.out, ContainsSubstring(part));
    }
  }
  const auto blocked = run_cli(with(gemm, {"--blocks", "--explain"}));
  CHECK_THAT(blocked.out, ContainsSubstring("searched no: it was given; a search finds one of"));
  const std::string rows = folder.file("rows.json", R"({"parts": [{"h": [0, 2]}]})").string();
  const auto other = run_cli({"run", "conv", "--layer", "C2", "--mapping", rows});
  CHECK(other.status == 2);
  CHECK_THAT(other.err, ContainsSubstring(rows) && ContainsSubstring("must make up"));
  const auto both = run_cli(with(conv, {"--mapping", file, "--tile-h", "2"}));
  CHECK(both.status == 2);
  CHECK_THAT(both.err, ContainsSubstring("leave --tile-oc"));
}

TEST_CASE("run elementwise checks every operation", "[unit]") {
  for (const char* op : {"add", "mul", "min", "max"}) {
    for (const char* config : {"default", "batch2", "int4"}) {
      const Json json =
          run_json({"run", "elementwise", "--size", "1000", "--op", op, "--shift", "3", "--config", config});
      CHECK(json["workload"]["op"] == op);
    }
  }
  const Json relu = run_json({"run", "elementwise", "--size", "777", "--op", "max", "--immediate", "0"});
  CHECK(relu["workload"]["immediate"] == 0);
  CHECK(relu["workload"]["size"] == 777);
}

TEST_CASE("what they record replays", "[unit]") {
  const test::TemporaryFolder folder;
  for (const auto& command : {words({"run", "conv"}, kSmallConv), words({"run", "elementwise", "--size", "500"})}) {
    const std::string bundle = folder.path() / command[1];
    const auto result = run_cli(words({}, command, {"--record", bundle.c_str()}));
    INFO(result.err);
    REQUIRE(result.status == 0);
    for (const char* target : {"fsim:", "systemc:"}) {
      CHECK(run_cli({"replay", bundle, "--target", target}).status == 0);
    }
  }
}

TEST_CASE("lower shows every stage, and what it changed", "[unit]") {
  const auto all = run_cli(words({"lower", "conv"}, kSmallConv));
  INFO(all.err);
  REQUIRE(all.status == 0);
  for (const char* stage :
       {"definition", "trace", "schedule", "plan_allocations", "lower_dma", "place_scratchpads", "emit",
        "merge_transfers", "merge_rows_apart", "place_micro_ops", "insert_tokens", "program"}) {
    CHECK_THAT(all.out, ContainsSubstring(std::string("==== ") + stage + ":"));
  }
  CHECK_THAT(all.out, ContainsSubstring("\n+") && ContainsSubstring("\n-"));  // changed lines
  const auto one = run_cli({"lower", "gemm", "--m", "4", "--k", "32", "--n", "32", "--stage", "place_scratchpads"});
  CHECK(one.status == 0);
  CHECK_THAT(one.out, ContainsSubstring("@T.prim_func\n") && ContainsSubstring("T.vta.gemm("));
  const auto operations = run_cli({"lower", "gemm", "--m", "4", "--k", "32", "--n", "32", "--stage", "emit"});
  CHECK_THAT(operations.out, ContainsSubstring(".kernel k0 ") && ContainsSubstring(" uop=k0 "));
  CHECK_THAT(run_cli({"lower", "conv", "--help"}).out, ContainsSubstring("remove_dead_loads"));
  const auto program = run_cli({"lower", "elementwise", "--size", "100", "--stage", "program"});
  CHECK_THAT(program.out, ContainsSubstring("load.acc8") && ContainsSubstring("alu.add"));
  const auto kernels =
      run_cli({"lower", "gemm", "--m", "64", "--k", "64", "--n", "64", "--target", "cuda:", "--stage", "cuda"});
  CHECK_THAT(kernels.out, ContainsSubstring("matmul_kernel("));
  CHECK_THAT(kernels.out, ContainsSubstring("__shared__"));
  const auto all_of_gpu = run_cli(words({"lower", "conv", "--target", "cuda:"}, kSmallConv));
  for (const char* stage : {"==== pipeline_copies: ", "==== split_kernels: ", "==== banks: ", "==== ptx: "}) {
    CHECK_THAT(all_of_gpu.out, ContainsSubstring(stage));
  }
  const auto json = run_cli({"lower", "gemm", "--m", "4", "--k", "32", "--n", "32", "--json"});
  const Json stages = parse_json(json.out, "stdout");
  REQUIRE(stages.is_array());
  CHECK(stages.front()["stage"] == "definition");
  CHECK(stages.back()["stage"] == "program");
}

TEST_CASE("the same layer is compiled to the same bytes", "[unit]") {
  const test::TemporaryFolder folder;
  std::vector<std::string> programs;
  for (const char* name : {"first", "second"}) {
    const std::string bundle = folder.path() / name;
    REQUIRE(run_cli(words({"run", "conv"}, kSmallConv, {"--target", "fsim:", "--record", bundle.c_str()})).status == 0);
    programs.push_back(run_cli({"disasm", bundle}).out);
  }
  CHECK(programs[0] != "");
  CHECK(programs[0] == programs[1]);
}

TEST_CASE("what they refuse", "[unit]") {
  check_refused({"run", "conv", "--layer", "C99"}, "C99");
  check_refused({"run", "conv", "--layer", "C2", "--kernel", "5"}, "--kernel is part of --layer C2");
  check_refused({"run", "conv", "--height", "2", "--width", "2", "--pad", "0"},
                "the 3 x 3 kernel is larger than the 2 x 2 input with 0 around");
  check_refused({"run", "conv", "--tile-oc", "4", "--tile-h", "56", "--tile-w", "56"},
                "no such pieces of this layer fit the scratchpads");
  check_refused({"run", "conv", "--in-channels", "65535", "--height", "65535"}, "the input has more than");
  check_refused({"run", "conv", "--pad", "16"}, "--pad");
  check_refused({"run", "conv", "--pad", "1,2"}, "'1,2' is neither one number nor 4 with ',' between them");
  check_refused({"run", "conv", "--stride", "2x0"}, "'0' is not a whole number from 1");
  check_refused({"run", "conv", "--kernel", "3x3x3"}, "--kernel");
  check_refused({"run", "conv", "--height", "4", "--dilation", "3", "--pad", "0"}, "the 7 x 7 kernel is larger");
  check_refused({"run", "conv", "--layer", "C2", "--tile-h", "57"},
                "--tile-h is 57, but there are 56 rows of the output");
  check_refused({"run", "elementwise", "--op", "xor"}, "--op: there is no 'xor'; known: add, mul, min, max");
  check_refused({"run", "elementwise", "--immediate", "40000"}, "--immediate");
  check_refused({"run", "elementwise", "--size", "0"}, "--size");
  check_refused({"lower", "gemm", "--stage", "cuda"}, "--stage cuda: this is of GPUs, and the target is the VTA");
  check_refused({"run", "conv", "--pad", "1,2,3,4,"}, "'1,2,3,4,' is neither one number nor 4");
  check_refused({"run", "conv", "--kernel", "3x"}, "'3x' is neither one number nor 2 with 'x' between them");
  check_refused({"run", "elementwise", "--tile", "3000"}, "no such pieces of this layer fit the accumulators");
  check_refused({"run", "elementwise", "--record", "x", "--trace", "x"}, "--record and --trace both name x");
  check_refused({"lower", "gemm", "--target", "cuda:", "--shift", "3"},
                "--shift is no choice that a GPU's schedule has, and --target is cuda:; leave it out");
  check_refused({"lower", "conv", "--dtype", "float16"},
                "--dtype is of GPUs (--target cuda:), and the target is the VTA; leave it out");
  check_refused({"lower", "conv", "--target", "cuda:", "--stage", "emit"},
                "--stage emit: --target cuda: has definition");
  check_refused({"lower", "gemm", "--stage", "nowhere"},
                "--stage: there is no 'nowhere'; known: all, definition, trace, ");
  check_refused({"lower", "gemm", "--stage", "nowhere", "--json"}, "--stage: there is no 'nowhere'");
}

}  // namespace vantage::test::cli_compiler_commands_test
