// The two workloads from end to end, as a user runs them.
#include "base/file.h"
#include "base/json.h"
#include "hw/program/bundle.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/golden.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_workloads_test {

using namespace vantage;
using test::run_cli;

TEST_CASE("run gemm prints where the time goes", "[golden]") {
  const auto result = run_cli({"run", "gemm"});
  CHECK(result.status == 0);
  CHECK(result.err == "");
  const std::string difference = test::compare_golden("run_gemm.txt", result.out);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("run gemm in blocks prints the published counters", "[golden]") {
  const auto result = run_cli({"run", "gemm", "--blocks"});
  CHECK(result.status == 0);
  CHECK(result.err == "");
  const std::string difference = test::compare_golden("run_gemm_blocks.txt", result.out);
  if (!difference.empty()) FAIL(difference);
  for (const char* line : {"inp_load_nbytes 4096\n", "wgt_load_nbytes 1048576\n", "acc_load_nbytes 0\n",
                           "uop_load_nbytes 20\n", "out_store_nbytes 1024\n", "gemm_counter 4096\n",
                           "alu_counter 192\n", "Successful blocked matrix multiply test!\n"}) {
    CHECK_THAT(result.out, ContainsSubstring(line));
  }
}

TEST_CASE("run gemm --json prints one object of the documented schema", "[unit]") {
  const auto result =
      run_cli({"run", "gemm", "--m", "5", "--k", "40", "--n", "33", "--bias", "--config", "8x8", "--json"});
  CHECK(result.status == 0);
  const Json json = parse_json(result.out, "stdout");
  CHECK(json["ok"] == true);
  CHECK(json["target"] == "systemc:");
  CHECK(json["config"] == "1x8_i8w8a32_15_14_16_16");
  CHECK(json["counters"].size() == 7);
  CHECK(json["counters"]["gemm_counter"] == 5 * 5 * 5);
  CHECK(json["workload"]["m"] == 5);
  CHECK(json["cycles"] > 0);
  CHECK(json["clock_mhz"] == 100);
  CHECK(json["memory"] == "m64");
  CHECK(json["seconds"].get<double>() == Approx(json["cycles"].get<double>() / 1e8));
  CHECK(json["useful_operations"] == 2 * 5 * 40 * 33);
  CHECK(json["executed_operations"] == 2 * 5 * 5 * 5 * 64);
  CHECK(json["executed_by"] == "gemm_core");
  CHECK(json["padding"]["share"].get<double>() == Approx(1 - 33.0 / 40));
  CHECK(json["padding"]["of"] == Json::array({"33 columns of C on blocks of 8"}));
  CHECK(json["useful_gops"].get<double>() == Approx(2 * 5 * 40 * 33 / json["seconds"].get<double>() * 1e-9));
  CHECK(json["executed_gops"].get<double>() == Approx(json["useful_gops"].get<double>() * 40 / 33));
  CHECK(json["utilisation"]["gemm_core_useful"].get<double>() ==
        Approx(json["utilisation"]["gemm_core"].get<double>() * 33 / 40));
  CHECK(json["utilisation"]["gemm_core"].get<double>() == Approx(5 * 5 * 5 / json["cycles"].get<double>()));
  CHECK(json["utilisation"]["bus_read"] > 0);
  CHECK(json["utilisation"]["bus_write"] > 0);
  CHECK(json["bottleneck"] != "");
  CHECK_FALSE(parse_json(run_cli({"run", "gemm", "--target", "fsim:", "--json"}).out, "stdout").contains("cycles"));
}

TEST_CASE("what a report says of a configuration that no board could be is warned of", "[unit]") {
  const test::TemporaryFolder folder;
  Json json = isa::Config::vta_default().to_json();
  json["CLOCK_MHZ"] = 5000;
  const std::string file = folder.file("fast.json", json.dump());
  const std::string warning = "CLOCK_MHZ is 5000, faster than any board";
  const auto run = run_cli({"run", "gemm", "--m", "1", "--k", "16", "--n", "16", "--config", file, "--json"});
  CHECK(run.status == 0);
  CHECK_THAT(run.err, ContainsSubstring("warning: " + warning));
  CHECK(parse_json(run.out, "stdout")["clock_mhz"] == 5000);
  const auto check = run_cli({"config", "check", file, "--json"});
  CHECK(check.status == 0);
  CHECK_THAT(parse_json(check.out, "stdout")[0]["warning"].get<std::string>(), ContainsSubstring(warning));
}

TEST_CASE("virtual threads without work are told, or given some", "[unit]") {
  const auto run = [](std::vector<std::string> more) {
    std::vector<std::string> arguments = {
        "run", "gemm", "--m", "2", "--k", "32", "--n", "32", "--virtual-threads", "2", "--config", "batch2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_cli(arguments);
  };
  const auto shared = run({});
  CHECK(shared.err == "");
  CHECK_THAT(shared.out, ContainsSubstring("in blocks of 2x32x16"));
  const auto idle = run({"--block-m", "2", "--block-n", "32"});
  CHECK(idle.status == 0);
  CHECK(idle.err ==
        "warning: --virtual-threads 2: the result has 1 block of 2x32, so 1 of the threads has nothing to do; smaller "
        "blocks (--block-m, --block-n) or fewer threads would change that\n");
}

TEST_CASE("run gemm takes and writes NumPy files", "[unit]") {
  const test::TemporaryFolder folder;
  const auto npy = [&](const std::string& name, const std::string& shape, const std::string& data) {
    return folder.file(name, test::npy_bytes("|i1", shape, data)).string();
  };
  const auto a = npy("a.npy", "(2, 3)", {1, 2, 3, 4, 5, 6});
  const auto b = npy("b.npy", "(3, 2)", {1, 0, 0, 1, 1, 1});
  const auto c = (folder.path() / "c.npy").string();
  const auto result = run_cli({"run", "gemm", "--lhs", a, "--rhs", b, "--out", c, "--shift", "0"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const std::string written = read_file(c, Bytes(1000));
  CHECK_THAT(written, ContainsSubstring("'shape': (2, 2)"));
  CHECK(written.substr(written.size() - 4) == std::string{4, 5, 10, 11});
  // The output is a valid input again: (2 x 2) . (2 x 3).
  CHECK(run_cli({"run", "gemm", "--lhs", c, "--rhs", a, "--shift", "0"}).status == 0);
}

TEST_CASE("every shipped configuration runs a matrix multiply", "[unit]") {
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "configs" / "accelerators")) {
    const auto result = run_cli({"run", "gemm", "--config", entry.path().string(), "--m", "3", "--k", "70", "--n", "45",
                                 "--virtual-threads", "2"});
    INFO(entry.path() << result.err);
    CHECK(result.status == 0);
  }
}

TEST_CASE("a recorded run replays", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string bundle = (folder.path() / "bundle").string();
  REQUIRE(run_cli({"run", "gemm", "--m", "2", "--k", "32", "--n", "32", "--record", bundle}).status == 0);
  const auto result = run_cli({"replay", bundle});
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("All expected bytes and counters match."));
  CHECK(run_cli({"verify", bundle}).status == 0);
}

TEST_CASE("run mlp gives the recorded logits and the published accuracy", "[golden]") {
  const auto result = run_cli({"run", "mlp"});
  CHECK(result.status == 0);
  CHECK(result.err == "");  // no progress bar into a pipe
  const std::string difference = test::compare_golden("run_mlp.txt", result.out);
  if (!difference.empty()) FAIL(difference);
  CHECK_THAT(result.out,
             ContainsSubstring("All 10000 x 16 logits equal the recorded ones.\n9797 of 10000 are right.\n"));
}

TEST_CASE("run mlp gives the same logits on other tiles and records every launch", "[unit]") {
  for (const char* config : {"batch2", "batch4_8x8", "32x32", "16x32"}) {
    const auto result = run_cli({"run", "mlp", "--config", config, "--images", "60", "--chunk", "32"});
    INFO(config << result.err);
    CHECK(result.status == 0);
    CHECK_THAT(result.out, ContainsSubstring("All 60 x 16 logits equal the recorded ones."));
  }
  const test::TemporaryFolder folder;
  const std::string record = (folder.path() / "bundles").string();
  REQUIRE(run_cli({"run", "mlp", "--images", "8", "--chunk", "4", "--record", record}).status == 0);
  size_t bundles = 0;
  for (const auto& entry : std::filesystem::directory_iterator(record)) {
    CHECK(run_cli({"replay", entry.path().string()}).status == 0);
    ++bundles;
  }
  CHECK(bundles == 6);
}

}  // namespace vantage::test::cli_workloads_test
