// --html, --plot and report: what they write and what they refuse. What is on the page, tests/report sees.
#include "base/file.h"
#include "base/json.h"
#include "explore/database.h"
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
  CHECK(blocks["what_ifs"] == gemm["what_ifs"]);
  CHECK(blocks["layers"][0]["bound"] == gemm["layers"][0]["bound"]);

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

TEST_CASE("a page about what has inputs of its own needs no values for them", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string archive = folder.path() / "l.tar", page = folder.path() / "page.html";
  REQUIRE(run_cli({"compile", "lenet", "-o", archive}).status == 0);
  const std::string bundle = test::source_dir() / "tests/data/bundles/gemm_16x64x32";
  const std::string program = folder.file("a.s", run_cli({"disasm", bundle}).out).string();
  for (const std::string& what : {archive, program}) {
    const auto result = run_cli({"report", what, "-o", page});
    INFO(result.err);
    CHECK(result.status == 0);
    CHECK(document_of(page)["layers"].size() >= 1);
  }
}

TEST_CASE("a network's what-ifs are of cores and memories", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string page = folder.path() / "page.html";
  const auto result = run_cli({"run", "lenet", "--config", "8x8", "--what-if", "--html", page, "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "--json");
  const Json& what_ifs = json["what_ifs"];
  // Where tensors lie makes some cycles of difference
  CHECK(what_ifs["cycles"].get<double>() == Approx(json["accelerator_cycles"].get<double>()).epsilon(0.01));
  REQUIRE(what_ifs["changes"].size() == 5);
  CHECK(what_ifs["changes"][0]["change"] == "twice the bus");
  CHECK(what_ifs["changes"][0]["cycles"] < what_ifs["cycles"]);
  CHECK(what_ifs["changes"][4]["impossible"] == "the memory passes as much already");
  CHECK(document_of(page)["what_ifs"] == what_ifs);
  const std::string other = folder.path() / "other.html";
  REQUIRE(run_cli({"report", "lenet", "--config", "8x8", "--what-if", "-o", other}).status == 0);
  CHECK(document_of(other)["what_ifs"] == what_ifs);
}

TEST_CASE("a program's what-ifs are of faster memories", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string bundle = folder.path() / "run.bundle", page = folder.path() / "page.html";
  REQUIRE(run_cli({"run", "gemm", "--m", "32", "--k", "64", "--n", "32", "--record", bundle}).status == 0);
  const auto run = [&](const std::string& memory) {
    const auto result = run_cli({"run", bundle, "--what-if", "--memory", memory, "--html", page, "--json"});
    INFO(result.err);
    REQUIRE(result.status == 0);
    const Json json = parse_json(result.out, "--json");
    CHECK(document_of(page)["what_ifs"] == json["what_ifs"]);
    CHECK(json["what_ifs"]["cycles"] == json["cycles"]);
    return json;
  };
  const Json narrow = run("narrow")["what_ifs"];
  CHECK(narrow["changes"][0]["cycles"] < narrow["cycles"]);
  CHECK(narrow["changes"][1]["cycles"] < narrow["cycles"]);
  CHECK(run("m1")["what_ifs"]["changes"][0]["impossible"] == "the memory answers in a cycle");
  CHECK_THAT(run_cli({"run", bundle, "--what-if"}).out, ContainsSubstring("half the latency"));
  check_refused({"run", bundle, "--what-if", "--target", "fsim:"}, "take systemc:, or leave it out");
  check_refused({"run", "lenet", "--what-if", "--target", "cpu:"}, "--what-if is for accelerators");
}

TEST_CASE("a perceptron's page has each launch", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string page = folder.path() / "page.html";
  const auto result = run_cli({"run", "mlp", "--images", "32", "--chunk", "16", "--html", page});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json document = document_of(page);
  CHECK(document["layers"].size() == 6);
  CHECK(document["layers"][3]["name"] == "fc1 from 16");
  CHECK(document["timeline"]["runs"].size() == 6);
}

TEST_CASE("a database of designs becomes a page", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string space =
      folder.file("s.json", R"({"parameters": {"CLOCK_MHZ": [100, 200], "memory": ["m64", "m1"]}})");
  const std::string db = folder.path() / "s.sqlite", page = folder.path() / "s.html";
  const auto swept = run_cli({"sweep", space, "--workloads", "gemm:16x16x16,gemm:32x16x16", "--db", db});
  INFO(swept.err);
  REQUIRE(swept.status == 0);
  const auto reported = run_cli({"report", db, "-o", page, "--workload", "gemm:32x16x16", "--x", "CLOCK_MHZ"});
  INFO(reported.err);
  REQUIRE(reported.status == 0);
  CHECK(reported.out == "report: " + page + "\n");
  const Json document = document_of(page);
  CHECK(document["format"] == "vantage sweep");
  CHECK(document["title"] == "s.sqlite");
  CHECK(document["x"] == "CLOCK_MHZ");
  CHECK(document["y"] == "ms");
  CHECK(document["designs"]["count"] == 4);
  REQUIRE(document["workloads"].size() == 1);
  CHECK(document["workloads"][0]["name"] == "gemm:32x16x16");

  check_refused({"report", db, "-o", page, "--workload", "gemm:32x16x17"},
                "has no workload 'gemm:32x16x17'; did you mean 'gemm:32x16x16'?");
  check_refused({"report", db, "-o", page, "--y", "mss"}, "--y: no axis is called 'mss'; did you mean 'ms'");
  check_refused({"report", db, "-o", page, "--x", "LOG_BATCH"}, "--x: no axis is called 'LOG_BATCH'");
  check_refused({"report", db, "-o", page, "--x", "energy_mj"}, "--x: energy_mj is by an energy model; name one");
  check_refused({"report", db, "-o", page, "--config", "8x8"}, "is a database of what was; leave it out");
  check_refused({"report", db, "-o", page, "--what-if"}, "is a database of what was; leave it out");
  check_refused({"report", db, "-o", "/nonexistent/x.html"}, "/nonexistent");
  check_refused({"report", "/nonexistent/s.sqlite", "--x", "ms"}, "/nonexistent/s.sqlite: there is no such file");
  check_refused({"report", "lenet", "-o", page, "--x", "ms"}, "--x is for databases of designs, and lenet is none");

  const std::string before = read_file(db, Bytes(1 << 22));
  const auto link = folder.path() / "link.html";
  std::filesystem::create_symlink(db, link);
  for (const std::string& out : {db, link.string()}) {
    check_refused({"report", db, "-o", out}, "--output " + out + " would replace the input " + db);
  }
  CHECK(read_file(db, Bytes(1 << 22)) == before);
}

TEST_CASE("a network's sizes are given to report as they are to run", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string model = (test::source_dir() / "tests" / "data" / "onnx" / "small.onnx").string();
  check_refused({"report", model}, "give that a value, as --size batch=1");
  const std::string page = (folder.path() / "page.html").string();
  const auto result = run_cli({"report", model, "--size", "batch=1", "-o", page});
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(std::filesystem::exists(page));
}

TEST_CASE("what report cannot make a page of is called by its name", "[unit]") {
  const test::TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& text, const std::string& what) {
    check_refused({"report", folder.file(name, text)}, name + ": is " + what);
    check_refused({"report", folder.file(name, text)}, "; report takes the folder of a bundle, a program, a network");
  };
  refused("space.json", R"({"parameters": {"CLOCK_MHZ": [100]}})", "a space of designs, which `vantage sweep` makes");
  refused("front.json", R"({"format": "vantage front 1", "ruled_out": []})", "a certificate, which `vantage explore");
  refused("core.json", R"({"LOG_BLOCK": 4})", "an accelerator, which --config takes");
  refused("list.json", " [1]", "JSON; ");
  check_refused({"report", folder.path()}, folder.path().string() + ": is a folder without bundle.json; report takes");
  check_refused({"report", "lenet", "-o", "-"}, "--output - names no file; name one");
  check_refused({"run", "lenet", "--html", "-"}, "--html - names no file; name one");

  const std::string core =
      folder.file("own.json", read_file(test::source_dir() / "configs/accelerators/8x8.json", Bytes(1 << 20)));
  check_refused({"report", "lenet", "--config", core, "-o", core}, "would replace the input " + core);
  const auto bundle = folder.path() / "run.bundle";
  REQUIRE(run_cli({"run", "gemm", "--m", "16", "--k", "16", "--n", "16", "--record", bundle}).status == 0);
  check_refused({"report", bundle, "-o", bundle / "bundle.json"}, "would replace a file of " + bundle.string());
}

TEST_CASE("databases without designs, and those of others, become no page", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string page = folder.path() / "s.html", db = folder.path() / "s.sqlite";
  { const explore::Database empty(db); }
  check_refused({"report", db, "-o", page}, db + ": has no results; `vantage sweep SPACE --db " + db + "` makes some");
  std::string bytes = read_file(db, Bytes(1 << 20));
  bytes[63] = 9;  // the last byte of user_version
  check_refused({"report", folder.file("new.sqlite", bytes), "-o", page},
                "has version 9 of the tables, this tool knows");
  bytes[71] = 0;  // of application_id
  check_refused({"report", folder.file("other.sqlite", bytes), "-o", page}, "is a database of another program");
  check_refused({"report", folder.path() / "none.sqlite", "-o", page}, "none.sqlite");
  check_refused({"report", folder.file("text.sqlite", "some text"), "-o", page}, "text.sqlite");
  CHECK_FALSE(std::filesystem::exists(page));
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
  const test::TemporaryFolder folder;
  check_refused({"report", folder.file("x.vta", "a program"), "-o", "x.html", "--config", "8x8"},
                "says what it is for; leave --config out");
}

}  // namespace vantage::test::cli_report_commands_test
