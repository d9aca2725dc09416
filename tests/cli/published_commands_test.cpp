// published: as a target, and its model held against what was published.
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/golden.h"

namespace vantage::test::cli_published_commands_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;

TEST_CASE("published: prints its time, and the host's apart", "[golden]") {
  const auto result = run_cli({"run", "gemm", "--target", "published:"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const std::string difference = test::compare_golden("run_gemm_published.txt", result.out);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("published times are held against the model's", "[golden]") {
  const auto result = run_cli({"validate", "silicon", "--layer", "C4", "C7", "C10"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const std::string difference = test::compare_golden("validate_silicon.txt", result.out);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("the machine's JSON has both times, and a comparison its cycles", "[unit]") {
  const auto run = run_cli({"run", "gemm", "--m", "16", "--k", "16", "--n", "16", "--target", "published:", "--json"});
  REQUIRE(run.status == 0);
  const Json json = parse_json(run.out, "run");
  CHECK(json["cycles"] > 0);
  CHECK(json["host_cycles"] > 0);
  const auto compare =
      run_cli({"compare", "gemm", "--m", "16", "--k", "16", "--n", "16", "--targets", "systemc:,published:", "--json"});
  REQUIRE(compare.status == 0);
  CHECK(parse_json(compare.out, "compare")[1]["cycles"] == json["cycles"]);
}

TEST_CASE("a model farther off than the limit fails, with numbers", "[unit]") {
  const auto result = run_cli({"validate", "silicon", "--layer", "C10", "--within", "0.1", "--json"});
  CHECK(result.status == 1);
  CHECK(result.err ==
        "error: C10: the model takes 108424 cycles, +0.31 % of the 108090 that were published; the limit "
        "is 0.1 %\n");
  const Json json = parse_json(result.out, "validate");
  CHECK(json["ok"] == false);
  CHECK(json["layers"][0]["published_cycles"] == 108090);
  CHECK(json["layers"][0]["cycles"] == 101997);
  CHECK(json["layers"][0]["ok"] == false);
  CHECK(json["layers"][0]["results_right"] == true);
  CHECK(json["within"] == 0.1);
}

TEST_CASE("other configurations and machines that nobody knows are refused", "[unit]") {
  check_refused({"run", "gemm", "--target", "published:", "--config", "8x8"},
                "pynq-z1-1x16.json is of configuration 1x16_i8w8a32_15_15_18_17, not 1x8");
  check_refused({"run", "gemm", "--target", "published:pynq"}, "no published machine of that name");
  check_refused({"validate", "silicon", "--times", "resnet18-pynq-z2"}, "did you mean 'resnet18-pynq-z1'?");
  check_refused({"run", "gemm", "--target", "published:", "--memory", "m1"},
                "target 'published:' takes no memory setting");
}

}  // namespace vantage::test::cli_published_commands_test
