// Designs by command: side by side, swept, and the front of a space.
#include <fmt/format.h>

#include <cmath>

#include "base/file.h"
#include "base/json.h"
#include "explore/database.h"
#include "hw/isa/config.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_designs_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;

namespace {

constexpr const char* kSpace =
    R"({"parameters": {"LOG_BLOCK_OUT": [4, 5], "memory": ["m1", "m64"], "LOG_BATCH": [0, 5]},
  "constraints": ["BATCH == 1"]})";

}  // namespace

TEST_CASE("compare designs has the cycles that run gives, of each workload and design", "[unit]") {
  const auto result =
      run_cli({"compare", "designs", "default", "8x8", "--memory", "m1,m64", "--workloads", "gemm:16x32x64", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "designs"), rows = json.at("rows");
  REQUIRE(rows.size() == 4);
  CHECK(!rows[0].contains("energy"));
  CHECK(json.at("part") == "xc7z020clg400-1");
  REQUIRE(json.at("areas").size() == 2);
  CHECK(json.at("areas")[0].at("fits") == true);
  const auto synth = run_cli({"synth", "--estimate", "--config", "default", "--json"});
  CHECK(parse_json(synth.out, "synth").at("cores")[0].at("used") == json.at("areas")[0].at("used"));
  CHECK(rows[0].at("design") == "default m1");
  CHECK(rows[3].at("design") == "8x8 m64");
  for (const Json& row : rows) {
    const std::string design = row.at("design");
    const auto run = run_cli({"run", "gemm", "--m", "16", "--k", "32", "--n", "64", "--config",
                              design.substr(0, design.find(' ')), "--memory", row.at("memory"), "--json"});
    CHECK(parse_json(run.out, "run").at("cycles") == row.at("cycles"));
  }
}

TEST_CASE("what designs spend is what run says, whenever it is asked for", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string db = (folder.path() / "d.sqlite").string();
  const auto rows = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"compare",       "designs", "default", "8x8",   "--workloads",
                                      "gemm:16x32x64", "--db",    db,        "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = run_cli(words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return parse_json(result.out, "designs").at("rows");
  };
  CHECK(!rows({})[0].contains("energy"));
  const Json spent = rows({"--energy", "45nm"});
  REQUIRE(spent.size() == 2);
  for (const Json& row : spent) {
    const std::string config = row.at("design").get<std::string>();
    const auto run = run_cli({"run", "gemm", "--m", "16", "--k", "32", "--n", "64", "--config",
                              config.substr(0, config.find(' ')), "--energy", "45nm", "--json"});
    Json energy = parse_json(run.out, "run").at("energy");
    energy.erase("activity");
    CHECK(row.at("energy") == energy);
  }
  const std::string page = (folder.path() / "d.html").string();
  CHECK(run_cli({"report", db, "-o", page, "--energy", "45nm", "--x", "energy_mj"}).status == 0);
  check_refused({"report", db, "-o", page, "--x", "energy_mj"}, "energy_mj");
  check_refused({"compare", "designs", "default", "--energy", "45mm"}, "did you mean '45nm'?");
}

TEST_CASE("a sweep goes on where another ended, and its front is proved", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string space = folder.file("space.json", kSpace).string(), db = (folder.path() / "d.sqlite").string();
  const std::string proof = (folder.path() / "front.json").string();
  const auto sweep = [&](const std::string& workloads) {
    const auto result = run_cli({"sweep", space, "--workloads", workloads, "--db", db, "--json"});
    INFO(result.err);
    REQUIRE(result.status == 0);
    return parse_json(result.out, "sweep");
  };
  const Json first = sweep("gemm:16x32x64");
  CHECK(first.at("points") == 8);
  CHECK(first.at("designs") == 4);
  CHECK(first.at("rejections")[0].at("reason") == "BATCH == 1");
  CHECK(first.at("evaluated") == 4);
  CHECK(first.at("fastest").size() == 4);
  CHECK(sweep("gemm:16x32x64").at("evaluated") == 0);
  CHECK(sweep("gemm:16x32x64,gemm:1x16x16").at("evaluated") == 4);
  const auto with_energy =
      run_cli({"sweep", space, "--workloads", "gemm:16x32x64", "--db", db, "--energy", "45nm", "--json"});
  const Json fastest = parse_json(with_energy.out, "sweep").at("fastest");
  {
    const auto is_near = [](double one, double other) { return std::abs(one - other) <= 1e-9 * other; };
    explore::Database database(db);
    const auto rows = database.query("SELECT energy_mj, watts FROM energy_results WHERE model = '45nm' ORDER BY ms");
    REQUIRE(rows.size() == fastest.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const Json& energy = fastest[i].at("energy");
      CHECK(is_near(rows[i][0], 1e-9 * energy.at("total").get<double>()));
      CHECK(is_near(rows[i][1], energy.at("watts")));
    }
  }

  // The same name for another model would mix the two.
  Json model = parse_json(read_file(test::source_dir() / "configs/energy/45nm.json", Bytes(1 << 20)), "45nm");
  model["dram"]["read"] = 1;
  const std::string other = folder.file("other.json", model.dump()).string();
  check_refused({"sweep", space, "--workloads", "gemm:16x32x64", "--db", db, "--energy", other},
                "its energies of 45nm are by another file");

  const auto explored = run_cli({"explore", space, "--workloads", "gemm:16x32x64", "--db", db, "--minimize",
                                 "cycles,macs", "--certificate", proof});
  INFO(explored.err);
  REQUIRE(explored.status == 0);
  CHECK_THAT(explored.out, ContainsSubstring("8 points, 4 designs") && ContainsSubstring("0 programs were run"));
  for (const std::string& input : {space, db}) {
    const std::string before = read_file(input, Bytes(1 << 24));
    check_refused({"explore", space, "--workloads", "gemm:16x32x64", "--db", db, "--certificate", input},
                  "would replace the input " + input);
    CHECK(read_file(input, Bytes(1 << 24)) == before);
  }
  const std::string none = (folder.path() / "none").string();
  const std::string base = folder.file("base.json", isa::Config::vta_default().to_json().dump()).string();
  const std::string of_base = folder.file("of_base.json", Json{{"base", base}, {"points", {Json::object()}}}.dump());
  check_refused({"explore", of_base, "--workloads", "gemm:16x32x64", "--certificate", base},
                "would replace the input " + base);
  check_refused({"explore", space, "--workloads", "gemm:16x32x64", "--db", none, "--certificate", none},
                "would replace");
  CHECK_FALSE(std::filesystem::exists(none));
  check_refused({"explore", space, "--workloads", "gemm:1x1x1,gemm:1x1x1"}, "--workloads has gemm:1x1x1 twice");
  check_refused({"explore", space, "--minimize", "cycles,cycles"}, "--minimize has cycles twice");
  check_refused({"explore", space, "--energy", "45nm"}, "nothing that is minimized is of energy");
  check_refused({"explore", space, "--verify", proof}, "--verify has the space of the proof");
  const auto verified = run_cli({"explore", "--verify", proof});
  CHECK(verified.status == 0);
  CHECK_THAT(verified.out, ContainsSubstring("proves that its 2 designs are the front"));
  std::string text = read_file(proof, Bytes(1 << 20));
  const std::string on_front = R"("on_front":true)";
  text.replace(text.find(on_front), on_front.size(), R"("on_front":false)");
  const auto forged = run_cli({"explore", "--verify", folder.file("forged.json", text).string(), "--json"});
  CHECK(forged.status == 1);
  CHECK(parse_json(forged.out, "verify").at("mistakes").size() == 1);
}

TEST_CASE("a proof that is wrong about what was measured holds until that is run again", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string space = folder.file("space.json", kSpace).string();
  const std::string proof = (folder.path() / "front.json").string();
  const std::string db = (folder.path() / "d.sqlite").string();
  // With what is known before nothing depends on which program ends first.
  REQUIRE(run_cli({"sweep", space, "--workloads", "gemm:16x96x64", "--db", db}).status == 0);
  const auto explored =
      run_cli({"explore", space, "--workloads", "gemm:16x96x64", "--db", db, "--jobs", "2", "--certificate", proof});
  INFO(explored.err);
  REQUIRE(explored.status == 0);
  const Json honest = parse_json(read_file(proof, Bytes(1 << 20)), "proof");
  REQUIRE(honest.at("measured").size() == 3);
  REQUIRE(honest.at("ruled_out").size() == 1);
  const auto verify = [&](const Json& json, const std::string& again) {
    return run_cli({"explore", "--verify", folder.file("forged.json", json.dump()).string(), "--measure-again", again});
  };
  const auto all = verify(honest, "1000");
  CHECK(all.status == 0);
  CHECK_THAT(all.out, ContainsSubstring("3 designs were measured for it, and run again"));
  CHECK_THAT(verify(honest, "1").out, ContainsSubstring("3 designs that it measured, wholly or in part, take what it"));
  // One that is behind the front is said to be slower than it is; 2 is the first such one.
  Json forged = honest;
  Json& slow = forged.at("measured").at(1);
  REQUIRE(slow.at("point") == 2);
  slow.at("values").at(0) = 9999.0;
  CHECK(verify(forged, "0").status == 0);
  const auto caught = verify(forged, "3");
  CHECK(caught.status == 1);
  CHECK_THAT(caught.out, ContainsSubstring("point 2: cycles is said to be 9999, and is"));
  // One is said to be ruled out by a program of it that takes long.
  forged = honest;
  forged.at("ruled_out").at(0)["measured"] = Json::array({Json::array({0, 999999})});
  CHECK(verify(forged, "0").status == 0);
  const auto partly = verify(forged, "4");
  CHECK(partly.status == 1);
  CHECK_THAT(partly.out, ContainsSubstring("point 6: program 0 is said to take 999999 cycles"));
}

TEST_CASE("a search prints the front that it has found, and proves nothing", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string space = folder.file("space.json", kSpace).string(), db = (folder.path() / "d.sqlite").string();
  const auto search = [&](const std::string& method, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"explore", space,        "--workloads", "gemm:16x32x64", "--db",
                                      db,        "--minimize", "cycles,macs", "--method",      method};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = run_cli(words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return result.out;
  };
  const Json some = parse_json(search("random", {"--designs", "2", "--method-seed", "5", "--json"}), "search");
  CHECK(some.at("method") == "random");
  CHECK(some.at("points") == 8);
  CHECK(some.at("chosen") == 2);
  CHECK(some.at("measured").size() == 2);
  CHECK(some.at("programs") == 2);
  CHECK(some.at("exhausted") == false);
  const std::string text = search("evolve", {});
  CHECK_THAT(text,
             ContainsSubstring("8 points: 4 designs were measured; 4 points that were looked at are no designs") ||
                 ContainsSubstring("ruled out"));
  CHECK_THAT(text, ContainsSubstring("Nothing is proved"));
  CHECK_THAT(search("random", {}), ContainsSubstring("Every point was looked at"));
  const Json all = parse_json(search("evolve", {"--json"}), "search");
  CHECK(all.at("exhausted") == true);
  CHECK(all.at("programs") == 0);
  CHECK(all.at("rejections")[0].at("reason") == "BATCH == 1");
  const auto on_front =
      std::ranges::count_if(all.at("measured"), [](const Json& one) { return one.contains("design"); });
  CHECK(on_front == 2);
  check_refused({"explore", space, "--designs", "3"}, "--designs is for --method evolve and --method random");
  check_refused({"explore", space, "--method-seed", "3"}, "--method-seed is for");
  check_refused({"explore", space, "--method", "evolve", "--certificate", db}, "--method evolve proves nothing");
  check_refused({"explore", "--verify", space, "--method", "random"}, "there is no proof of it to --verify");
}

TEST_CASE("of a space only designs that fit the part are measured, and the proof says of which part", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string space = folder.file("space.json", kSpace).string(), db = (folder.path() / "d.sqlite").string();
  const std::string proof = (folder.path() / "front.json").string();
  const std::vector<std::string> same = {space, "--workloads", "gemm:16x32x64", "--db", db};
  const auto run = [&](const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> words = same;
    words.insert(words.begin(), command);
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(words);
  };
  // Two of the four have 512 multipliers.
  CHECK(run("sweep", {}).status == 0);
  const auto swept = run("sweep", {"--part", "pynq-z1", "--json"});
  INFO(swept.err);
  REQUIRE(swept.status == 0);
  const Json json = parse_json(swept.out, "sweep");
  CHECK(json.at("designs") == 2);
  CHECK(json.at("rejections")[1].at("reason") == "does not fit the pynq-z1: DSP slices");
  REQUIRE(json.at("fastest").size() == 2);
  CHECK(json.at("fastest")[0].at("fits") == true);
  CHECK(json.at("fastest")[0].at("used").at("dsps") == 172);
  const auto text = run("sweep", {"--part", "xczu7ev"});
  CHECK_THAT(text.out, ContainsSubstring("MACs  fits\n") && ContainsSubstring("yes: ") &&
                           ContainsSubstring("* an extrapolation"));
  CHECK_THAT(text.err, ContainsSubstring("UltraScale+"));

  const auto explored = run("explore", {"--minimize", "cycles", "--part", "xc7z020", "--certificate", proof});
  INFO(explored.err);
  REQUIRE(explored.status == 0);
  CHECK_THAT(explored.out, ContainsSubstring("yes: 89% RAMs") && ContainsSubstring("8 points, 2 designs") &&
                               ContainsSubstring("a point does not fit the xc7z020: it takes 15"));
  CHECK(parse_json(read_file(proof, Bytes(1 << 20)), "proof").at("part").at("name") == "xc7z020");
  CHECK(run_cli({"explore", "--verify", proof}).status == 0);

  const auto compared = run_cli({"compare", "designs", "default", "16x32", "--workloads", "gemm:16x32x64"});
  CHECK_THAT(compared.out, ContainsSubstring("yes: 89% RAMs") && ContainsSubstring("no: 155% RAMs, 151% DSPs"));
  check_refused({"sweep", space, "--db", db, "--part", "xc7z02"}, "did you mean 'xc7z020'?");
}

TEST_CASE("what cannot be swept is refused", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string space = folder.file("space.json", kSpace).string(), db = (folder.path() / "d.sqlite").string();
  const auto with = [&](const std::string& workload) {
    return std::vector<std::string>{"sweep", space, "--db", db, "--workloads", workload};
  };
  check_refused({"sweep", "shapes-of-256-mac", "--db", db}, "did you mean 'shapes-of-256-macs'?");
  check_refused(with("resnet19"), "there is no workload 'resnet19'; did you mean 'resnet18'?");
  check_refused(with("conv:C12"), "C12");
  check_refused(with("gemm:16x16"), "has 2 sizes, expected 3, as gemm:256x64x512");
  check_refused(with("gemm:16x16xa"), "expected rows, depth and columns");
  check_refused(with("bert_base:sequence"), "expected sizes of at least 1 behind");
  check_refused(with("bert_base:sequence=0"), "expected sizes of at least 1 behind");
  check_refused(with("bert_base:sequence=8+sequence=9"), "sequence is there twice");
  check_refused(with("gemm:1x65535x65535"), "a matrix of 65535 x 65535 has more than 268435456 elements");
  for (const char* list : {",", "gemm:1x1x1,", ",gemm:1x1x1", "gemm:1x1x1,,conv:C2"}) {
    check_refused(with(list), "an item of the list is empty; leave out its comma");
  }
  check_refused({"explore", space, "--measure-again", "3"}, "name the proof with --verify");
  check_refused({"explore", "--verify", "front.json", "--workloads", "lenet"}, "--workloads");
  check_refused(with("none.onnx"), "none.onnx");
  check_refused({"sweep", folder.file("empty.json", "{}").string(), "--db", db}, "there is no point");
  const std::string none = folder.file("none.json", R"({"points": [{"LOG_ACC_BUFF_SIZE": 20}]})").string();
  check_refused({"sweep", none, "--db", db, "--workloads", "gemm:1x1x1"}, "the space has no design: 1 of 1 points");
  check_refused({"explore", none, "--db", db, "--workloads", "gemm:1x1x1"}, "the space has no design: 1 of 1 points");
  check_refused(
      {"sweep", space, "--db", folder.file("text", "no database, but a text").string(), "--workloads", "gemm:1x1x1"},
      "is no database; take another file");
  check_refused({"explore", space, "--db", db, "--minimize", "ms,edp"},
                "edp is by an energy model; name one with --energy");
  check_refused({"explore"}, "a SPACE is missing, or --verify FILE");
  check_refused({"explore", "--verify", space}, "unknown key \"parameters\"");
}

}  // namespace vantage::test::cli_designs_test
