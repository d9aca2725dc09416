// systemc: as a target: what it prints, what it records, what it refuses.
#include "base/file.h"
#include "base/json.h"
#include "hw/isa/codec.h"
#include "hw/program/bundle.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_systemc_commands_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;

TEST_CASE("systemc: prints what rtl: prints", "[golden]") {
  const auto golden = [](const std::string& name, std::vector<std::string> words) {
    auto result = run_cli(words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    const size_t at = result.out.find("systemc:");
    REQUIRE(at != std::string::npos);
    const std::string difference = test::compare_golden(name, result.out.replace(at, 8, "rtl:"));
    if (!difference.empty()) FAIL(difference);
  };
  golden("run_gemm_rtl.txt", {"run", "gemm"});
  golden("run_gemm_rtl_ddr3.txt", {"run", "gemm", "--m", "64", "--k", "64", "--n", "64", "--memory", "ddr3"});
  golden("run_mlp_rtl.txt", {"run", "mlp", "--images", "16"});
}

TEST_CASE("a timeline and queue waves appear beside the result", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string trace = folder.path() / "gemm.json", vcd = folder.path() / "gemm.vcd";
  const auto result = run_cli({"run", "gemm", "--m", "16", "--k", "16", "--n", "16", "--trace", trace, "--vcd", vcd});
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.err == "");
  CHECK(parse_json(read_file(trace, Bytes(1 << 24)), trace)["traceEvents"].size() > 20);
  CHECK_THAT(read_file(vcd, Bytes(1 << 24)), ContainsSubstring("load_to_compute"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

TEST_CASE("traces that would never be written are refused", "[unit]") {
  check_refused({"run", "gemm", "--vcd", "/nonexistent/x.vcd"}, "/nonexistent/x.vcd");
  check_refused({"run", "gemm", "--vcd", "/dev/null"}, "/dev/null: is a device");
  check_refused({"run", "gemm", "--trace", "/nonexistent/x.json"}, "/nonexistent/x.json");
  check_refused({"run", "gemm", "--trace", "x", "--vcd", "./x"}, "--trace and --vcd both name x");
  check_refused({"run", "mlp", "--record", "x", "--vcd", "x"}, "--record and --vcd both name x");
  check_refused(
      {"run", "gemm", "--trace", "x.fst"},
      "the trace of 'systemc:', a timeline, is a .json file, so its name must end with .json; x.fst does not: "
      "call it x.json");
  check_refused({"run", "gemm", "--vcd", "x.json"}, "what --vcd records is a .vcd file");
  check_refused({"run", "gemm", "--target", "rtl:", "--trace", "x.json"},
                "the trace of 'rtl:', waves, is a .fst file, so its name must end with .fst; x.json does not: call it "
                "x.fst");
  check_refused({"run", "gemm", "--target", "fsim:", "--trace", "x"}, "records no trace");
  check_refused({"run", "gemm", "--target", "fsim:", "--vcd", "x"}, "writes no VCD");
  check_refused({"run", "gemm", "--target", "rtl:", "--vcd", "x"}, "writes no VCD");
}

TEST_CASE("impossible memory settings are refused by key", "[unit]") {
  const test::TemporaryFolder folder;
  const auto refused = [&](const std::string& json, const std::string& part) {
    check_refused({"run", "gemm", "--memory", folder.file("memory.json", json)}, part);
  };
  refused(R"({"name": "x", "bytes_per_cycle": 0})", "bytes_per_cycle is 0, expected a power of two from 1 to 64");
  refused(R"({"name": "x", "read_latency": 1000001})",
          "read_latency is 1000001, expected an integer from 0 to 1000000");
  refused(R"({"name": "x", "write_latency": 1000001})",
          "write_latency is 1000001, expected an integer from 0 to 1000000");
  refused(R"({"name": "x", "read_latencies": 1})", "did you mean");
}

TEST_CASE("a deadlock is reported with its cycle", "[unit]") {
  const test::TemporaryFolder folder;
  const auto config = isa::Config::vta_default();
  Bundle bundle{.name = "stuck",
                .config = config,
                .insn_address = Bytes(4096),
                .insn_count = 2,
                .memory = {},
                .expect = {},
                .counters = {}};
  isa::Load load;
  load.deps.pop_next = true;
  std::vector<std::byte> program(2 * isa::kInsnBytes);
  const isa::Codec codec(config);
  isa::store_words(codec.encode(load), std::span(program).first<isa::kInsnBytes>());
  isa::store_words(codec.encode(isa::Finish{}), std::span(program).last<isa::kInsnBytes>());
  bundle.memory.push_back({bundle.insn_address, std::string(as_text(program))});
  save_bundle(bundle, folder.path() / "stuck");
  check_refused({"replay", folder.path() / "stuck", "--target", "systemc:"},
                "deadlock in cycle 76: the load stage waits at instruction 0");
}

}  // namespace vantage::test::cli_systemc_commands_test
