// --html, --plot and report: what they write and what they refuse. What is on the page, tests/report sees.
#include "base/file.h"
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_report_commands_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;

namespace {

// The document of a page.
Json document_of(const std::string& path) {
  const std::string page = read_file(path, Bytes(5'000'000));
  const std::string mark = R"(<script id="document" type="application/json">)";
  const size_t begin = page.find(mark) + mark.size(), end = page.find("</script", begin);
  return parse_json(page.substr(begin, end - begin), path);
}

}  // namespace

TEST_CASE("a run of each kind writes a page", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string page = folder.path() / "page.html";
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--html", page});
    const auto result = run_cli(words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    CHECK(result.err == "");
    return document_of(page);
  };
  const std::string bundle = folder.path() / "run.bundle";
  const Json gemm = run({"run", "gemm", "--m", "16", "--k", "16", "--n", "16", "--record", bundle});
  CHECK(gemm["title"] == "gemm 16x16 . 16x16");
  CHECK(gemm["timeline"]["runs"].size() == 1);
  CHECK(gemm["timeline"]["cycles"] == gemm["layers"][0]["cycles"]);
  CHECK(gemm["what_ifs"]["changes"].size() >= 3);
  CHECK(gemm["layers"][0]["traffic"][0] == Json{{"what", "inputs"}, {"bytes", 256}, {"least", 256}});

  const Json blocks = run({"run", "gemm", "--m", "16", "--k", "16", "--n", "16", "--blocks"});
  CHECK_FALSE(blocks.contains("what_ifs"));
  CHECK_FALSE(blocks["layers"][0].contains("bound"));

  const Json conv = run({"run", "conv", "--in-channels", "16", "--height", "8", "--width", "8", "--json"});
  CHECK(conv["layers"][0]["bound"].get<uint64_t>() <= conv["layers"][0]["cycles"].get<uint64_t>());
  CHECK(run({"run", "elementwise", "--size", "1000"})["layers"][0]["name"] == "elementwise");

  const Json program = run({"run", bundle});
  CHECK(program["layers"][0]["cycles"] == gemm["layers"][0]["cycles"]);
  CHECK_FALSE(program["layers"][0].contains("useful"));
  CHECK_FALSE(run({"run", bundle, "--target", "fsim:"}).contains("timeline"));

  const std::string other = folder.path() / "other.html";
  const auto reported = run_cli({"report", bundle, "-o", other});
  INFO(reported.err);
  REQUIRE(reported.status == 0);
  CHECK(reported.out.ends_with("report: " + other + "\n"));
  CHECK(document_of(other) == program);
}

TEST_CASE("a run is drawn in the terminal, where it does not print JSON", "[unit]") {
  const std::vector<std::string> words = {"run", "gemm", "--m", "16", "--k", "16", "--n", "16"};
  auto plotted = words, json = words;
  plotted.emplace_back("--plot");
  json.insert(json.end(), {"--plot", "--json"});
  const std::string plain = run_cli(words).out, drawn = run_cli(plotted).out;
  CHECK(drawn.starts_with(plain));
  CHECK_THAT(drawn, ContainsSubstring("* useful, o with padding"));
  CHECK(parse_json(run_cli(json).out, "--json")["ok"] == true);
}

TEST_CASE("pages that could not be written are refused before anything runs", "[unit]") {
  check_refused({"run", "gemm", "--html", "/nonexistent/x.html"}, "/nonexistent/x.html");
  check_refused({"run", "gemm", "--html", "x", "--trace", "./x"}, "--trace and --html both name");
  check_refused({"report", "no_such.bundle", "-o", "x.html"}, "no_such.bundle");
  check_refused({"report", "gemmm", "-o", "x.html"}, "'gemmm' is no file and no network");
  check_refused({"report", "./x.vta", "-o", "x.html", "--config", "8x8"}, "says what it is for; leave --config out");
}

}  // namespace vantage::test::cli_report_commands_test
