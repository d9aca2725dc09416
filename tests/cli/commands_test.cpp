#include "base/file.h"
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/damage.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_commands_test {

using namespace vantage;
using test::run_cli;

namespace {

void golden(const std::string& name, const std::vector<std::string>& arguments) {
  const auto result = run_cli(arguments);
  CHECK(result.status == 0);
  CHECK(result.err == "");
  const std::string difference = test::compare_golden(name, result.out);
  if (!difference.empty()) FAIL(difference);
}

}  // namespace

TEST_CASE("config show says what a memory amounts to at the clock", "[unit]") {
  const auto result = run_cli({"config", "show", "pynq", "--memory", "pynq-ddr3", "--json"});
  REQUIRE(result.status == 0);
  const Json memory = parse_json(result.out, "stdout")["memory"];
  CHECK(memory["name"] == "pynq-ddr3");
  CHECK(memory["clock_mhz"] == 100);
  CHECK(memory["times"]["read_latency"] == Json({{"cycles", 30}, {"ns", 300.0}}));
  CHECK(memory["times"]["banks.activate"] == Json({{"cycles", 2}, {"ns", 20.0}}));
  CHECK(memory["gbytes_per_s"].get<double>() == Approx(0.8));
  CHECK_THAT(run_cli({"config", "show", "pynq", "--memory", "pynq-ddr3"}).out,
             ContainsSubstring("  read_latency                     30 cycles            300 ns\n"));
}

TEST_CASE("config show prints every key and derived number", "[golden]") {
  golden("config_show_pynq.txt", {"config", "show", "pynq", "--fields"});
  const Json json = parse_json(run_cli({"config", "show", "pynq", "--json"}).out, "stdout");
  CHECK(json["keys"]["TARGET"] == "pynq");
  CHECK(json["derived"]["wgt_depth"] == 1024);
}

TEST_CASE("config diff lists what differs and exits with 1 if anything does", "[unit]") {
  auto result = run_cli({"config", "diff", "default", "8x8", "--json"});
  CHECK(result.status == 1);
  const Json json = parse_json(result.out, "stdout");
  CHECK(json["LOG_BLOCK"] == Json::array({4, 3}));
  CHECK(json["wgt_element_bytes"] == Json::array({256, 64}));
  CHECK_FALSE(json.contains("HW_VER"));
  result = run_cli({"config", "diff", "default", "default"});
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("the same accelerator"));
}

TEST_CASE("config check accepts every shipped file and goes on after a bad one", "[unit]") {
  const test::TemporaryFolder folder;
  const auto bad = folder.file("bad.json", "{}").string();
  std::vector<std::string> arguments = {"config", "check", bad};
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "configs" / "accelerators")) {
    arguments.push_back(entry.path().string());
  }
  const auto result = run_cli(arguments);
  CHECK(result.status == 1);
  CHECK_THAT(result.err, ContainsSubstring("bad.json: the key TARGET is missing"));
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK_THAT(result.out, ContainsSubstring("32x32.json: ok, 1x32_i8w8a32_15_16_20_18"));
  CHECK(static_cast<size_t>(std::count(result.out.begin(), result.out.end(), '\n')) == arguments.size() - 3);
}

TEST_CASE("a bundle's program survives disassembly and assembly", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string bundle = (test::source_dir() / "tests/data/bundles/gemm_16x64x32").string();
  const auto text = run_cli({"disasm", bundle});
  REQUIRE(text.status == 0);
  const auto source = folder.file("p.s", text.out).string();
  const auto program = (folder.path() / "p.vta").string();
  REQUIRE(run_cli({"asm", source, "-o", program}).status == 0);
  REQUIRE(run_cli({"asm", source}).status == 0);  // p.vta too, by its own name
  CHECK(run_cli({"asm", program}).status == 2);
  const auto again = run_cli({"disasm", program});
  CHECK(again.status == 0);
  // Only the comment on top differs: a program file has no name.
  CHECK(again.out.substr(again.out.find('\n')) == text.out.substr(text.out.find('\n')));
  CHECK_THAT(run_cli({"verify", bundle}).out, ContainsSubstring("sound"));
}

TEST_CASE("verify reports as text and as JSON, with exit status 1 for an illegal program", "[unit]") {
  const test::TemporaryFolder folder;
  const auto show = run_cli({"config", "show", "default", "--json"});
  const std::string keys = parse_json(show.out, "stdout")["keys"].dump();
  const auto path = folder.file("p.s", ".config " + keys + "\nfinish pop=prev\n").string();
  const auto text = run_cli({"verify", path});
  CHECK(text.status == 1);
  CHECK_THAT(text.err,
             ContainsSubstring("error: deadlock: the compute stage waits at instruction 0 (finish pop=prev)"));
  const auto json = run_cli({"verify", path, "--json"});
  CHECK(json.status == 1);
  CHECK(parse_json(json.out, "stdout")["diagnostics"][0]["insn"] == 0);

  // The only instruction, of bits that are none.
  const auto program = (folder.path() / "p.vta").string();
  REQUIRE(run_cli({"asm", folder.file("f.s", ".config " + keys + "\nfinish\n").string(), "-o", program}).status == 0);
  std::string bytes = read_file(program, Bytes(1 << 16));
  bytes[bytes.size() - 16] |= 7;
  write_file(program, test::with_checksum(bytes));
  const auto none = run_cli({"verify", program, "--json"});
  CHECK(none.status == 1);
  CHECK(parse_json(none.out, "stdout")["diagnostics"][0]["insn"] == 0);
  CHECK_THAT(run_cli({"verify", program}).err, ContainsSubstring("p.vta: instruction 0: unknown opcode 7"));
}

TEST_CASE("targets lists the devices", "[unit]") {
  CHECK_THAT(run_cli({"targets"}).out, ContainsSubstring("fsim:"));
  const Json list = parse_json(run_cli({"targets", "--json"}).out, "stdout");
  CHECK(list[0]["target"] == "fsim:");
  CHECK(!list[0].contains("why_not"));
  // Here or not, it is named; and where not, it is said why.
  const size_t cuda = list.size() - 3;
  CHECK(list[cuda]["target"] == "cuda:");
  CHECK(list[cuda + 1]["target"] == "cublas:");
  CHECK(list[cuda + 2]["target"] == "cudnn:");
  if (list[cuda].contains("why_not")) {
    CHECK(list[cuda]["why_not"].get<std::string>().starts_with("NVIDIA's driver"));
    CHECK(list[cuda + 1]["why_not"] == "it needs a GPU, as cuda: does");
  }
  CHECK_THAT(run_cli({"run", "gemm", "--m", "16", "--n", "16", "--k", "16", "--target", "cuda:"}).err,
             ContainsSubstring("target 'cuda:' is a GPU, which runs no programs of an accelerator"));
}

}  // namespace vantage::test::cli_commands_test
