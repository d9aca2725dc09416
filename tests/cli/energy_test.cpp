// --energy, as a user gives it: what is told of a run, and what is refused. How it is reckoned, tests/hw/energy sees.
#include "base/file.h"
#include "base/json.h"
#include "cli/energy_option.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_energy_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;

namespace {

const std::vector<std::string> kSmallGemm = {"run", "gemm", "--m", "16", "--k", "64", "--n", "64", "--energy"};

std::string told(std::vector<std::string> words) {
  const auto result = run_cli(words);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return result.out;
}

Json energy_of(std::vector<std::string> words) {
  words.emplace_back("--json");
  const Json json = parse_json(told(words), "stdout")["energy"];
  double sum = 0;
  for (const Json& part : json["parts"]) sum += part["value"].get<double>();
  CHECK(json["total"].get<double>() == Approx(sum));
  return json;
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("numbers have four digits and a prefix that suits them", "[unit]") {
  CHECK(cli::si_text(0, "J") == "0.000 J");
  CHECK(cli::si_text(1.5, "W") == "1.500 W");
  CHECK(cli::si_text(0.02, "W") == "20.00 mW");
  CHECK(cli::si_text(456.7e-6, "J") == "456.7 uJ");
  CHECK(cli::si_text(1234, "W") == "1234 W");
  CHECK(cli::si_text(3e-13, "J s") == "300.0 fJ s");
}

TEST_CASE("a run with its energy", "[golden]") {
  const std::string difference = test::compare_golden("run_gemm_energy.txt", told(with(kSmallGemm, {"45nm"})));
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("machines spend the same, and those without time know no power", "[unit]") {
  const Json timed = energy_of(with(kSmallGemm, {"7nm"}));
  const Json untimed = energy_of(with(kSmallGemm, {"7nm", "--target", "fsim:"}));
  CHECK(timed["technology"] == "7nm");
  CHECK(timed["unit"] == "pJ");
  CHECK(timed["activity"] == untimed["activity"]);
  CHECK(timed["total"] == untimed["total"]);
  CHECK(timed["parts"].size() == 9);
  CHECK(untimed["parts"].size() == 8);
  CHECK(timed.contains("watts"));
  CHECK_FALSE(untimed.contains("watts"));
  CHECK(timed["tops_per_watt"].get<double>() == Approx(2.0 * 16 * 64 * 64 / timed["total"].get<double>()));
}

TEST_CASE("every kind of run says what it spends, and so do pages", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string bundle = folder.path() / "run.bundle", page = folder.path() / "page.html";
  const Json gemm = energy_of(with(kSmallGemm, {"45nm", "--record", bundle, "--html", page}));
  const Json program = energy_of({"run", "program", bundle, "--energy", "45nm"});
  CHECK(program["parts"] == gemm["parts"]);
  CHECK_FALSE(program.contains("tops_per_watt"));
  CHECK(energy_of({"replay", bundle, "--energy", "45nm"}).at("activity") == gemm["activity"]);
  CHECK(read_file(page, Bytes(5'000'000)).find("\"energy\":{\"technology\":\"45nm\"") != std::string::npos);
  CHECK(energy_of({"run", "conv", "--in-channels", "16", "--height", "4", "--width", "4", "--energy", "45nm"})
            .at("activity")
            .at("insns") > 0);
  CHECK(energy_of({"run", "elementwise", "--size", "100", "--op", "mul", "--energy", "45nm"})
            .at("activity")
            .at("alu_mul_steps") == 7);
  CHECK(energy_of({"run", "mlp", "--images", "4", "--energy", "45nm"}).at("total") > 0);

  const Json network = energy_of({"run", "lenet", "--energy", "45nm"});
  double sum = 0;
  for (const Json& layer : network["layers"]) sum += layer["total"].get<double>();
  CHECK(network["total"].get<double>() == Approx(sum));
  CHECK(network["layers"].size() > 3);
}

TEST_CASE("compare has energies beside the rest", "[unit]") {
  const std::vector<std::string> words = {
      "compare",  "gemm", "--m",      "16", "--k",      "16",  "--n", "16", "--targets", "fsim:,systemc:,cpu:",
      "--repeat", "1",    "--min-ms", "0",  "--energy", "45nm"};
  const Json rows = parse_json(told(with(words, {"--json"})), "stdout");
  CHECK(rows[0]["energy"]["total"] == rows[1]["energy"]["total"]);
  CHECK_FALSE(rows[2].contains("energy"));
  const std::string table = told(words);
  CHECK(table.find("energy in uJ, by 45nm\n") != std::string::npos);
  for (size_t begin = 0; begin < table.size();) {
    const size_t end = table.find('\n', begin);
    CHECK(end - begin <= 80);
    begin = end + 1;
  }
  const std::string csv = told(with(words, {"--csv"}));
  CHECK(csv.find("roofline_share,ok,energy_pj,watts,edp,tops_per_watt\n") != std::string::npos);
  CHECK(csv.find("true,,,,\n") != std::string::npos);
}

TEST_CASE("a table of Accelergy's kind is read through the file that names it", "[unit]") {
  const test::TemporaryFolder folder;
  folder.file("ert.yaml",
              "ERT:\n  version: '0.4'\n  tables:\n"
              "  - name: top.mem\n    actions:\n    - {name: read, energy: 64}\n    - {name: write, energy: 64}\n"
              "  - name: top.mac\n    actions:\n    - {name: compute, energy: 1}\n");
  Json components;
  for (const char* name : {"dram", "uop", "inp", "wgt", "acc", "out"}) {
    components[name] = {{"component", "top.mem"}, {"bits", 64}};
  }
  components["mac"] = components["alu"] = {{"component", "top.mac"}};
  const Json model = {{"name", "mine"}, {"meaning", "a test"}, {"accelergy", "ert.yaml"}, {"components", components}};
  const std::string path = folder.file("mine.json", model.dump()).string();
  const Json energy = energy_of(with(kSmallGemm, {path}));
  CHECK(energy["technology"] == "mine");
  CHECK(energy["parts"][6] == Json({{"name", "mac"}, {"value", 16.0 * 64 * 64}}));

  check_refused(with(kSmallGemm, {(folder.path() / "ert.yaml").string()}), "give a JSON file that names it");
  const std::string lost =
      folder.file("lost.json", R"({"name": "a", "meaning": "b", "accelergy": "no.yaml", "components": {}})").string();
  check_refused(with(kSmallGemm, {lost}), "no.yaml");
}

TEST_CASE("what cannot be told is refused", "[unit]") {
  check_refused(with(kSmallGemm, {"45mm"}), "no energy model of that name; did you mean '45nm'?");
  check_refused(with(kSmallGemm, {"45nm", "--target", "published:"}), "take fsim:, systemc: or rtl:");
  check_refused({"run", "lenet", "--target", "cpu:", "--energy", "45nm"}, "--energy is for accelerators");
  const test::TemporaryFolder folder;
  check_refused(with(kSmallGemm, {folder.file("e.json", R"({"name": "a", "meaning": "b", "drams": 1})").string()}),
                "unknown key \"drams\"; did you mean 'dram'?");
}

}  // namespace vantage::test::cli_energy_test
