// Whole networks by command: what they print, and what they refuse.
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/golden.h"

namespace vantage::test::cli_networks_test {

using namespace vantage;
using test::run_cli;

TEST_CASE("run resnet8 --json has every step, and the accelerator's cycles", "[unit]") {
  const auto result = run_cli({"run", "resnet8", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "resnet8");
  CHECK(json.at("ok") == true);
  CHECK(json.at("accuracy").at("snr_db") > 30);
  uint64_t cycles = 0;
  for (const Json& layer : json.at("layers")) {
    CHECK(layer.at("bytes") > 0);
    if (layer.at("device") != "vta") continue;
    CHECK(layer.at("cycles") >= layer.at("bound"));
    CHECK(layer.at("useful_operations") <= layer.at("padded_operations"));
    cycles += layer.at("cycles").get<uint64_t>();
  }
  CHECK(json.at("accelerator_cycles") == cycles);
  CHECK(cycles < 90'000);
}

TEST_CASE("run lenet tells digits, on every target and with every kind of scales", "[unit]") {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--scales", "multiply-shift", "--per-channel"}, {"--config", "32x32"}}) {
    std::vector<std::string> arguments = {"run", "lenet", "--digits", "100", "--target", "fsim:", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = run_cli(arguments);
    INFO(result.err);
    REQUIRE(result.status == 0);
    const Json accuracy = parse_json(result.out, "lenet").at("accuracy");
    CHECK(accuracy.at("images") == 100);
    CHECK(accuracy.at("correct") >= 98);
  }
}

TEST_CASE("explain says what takes which operator", "[golden]") {
  std::string text;
  for (const char* model : {"resnet8", "mobilenet"}) {
    const auto result = run_cli({"explain", model});
    INFO(result.err);
    REQUIRE(result.status == 0);
    text += result.out + "\n";
  }
  const std::string difference = test::compare_golden("explain.txt", text);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("networks that cannot be had are refused", "[unit]") {
  test::check_refused({"explain", "resnet19"}, "resnet18");
  test::check_refused({"run", "resnet8", "--weights", "/nowhere"},
                      "/nowhere/conv1_weight.npy: the weights conv1.weight are missing; expected "
                      "float32[16, 3, 3, 3]");
  test::check_refused({"run", "lenet", "--digits", "10001"}, "--digits is 10001, there are 10000");
}

}  // namespace vantage::test::cli_networks_test
