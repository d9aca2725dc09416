// Benches of single modules (benches/*.sv), run by Icarus: each drives its module at random, with back-pressure on
// every interface, against a model that it keeps itself.
#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "hw/isa/layout.h"
#include "hw/rtl/sources.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/effort.h"

namespace vantage::test::hw_rtl_bench_test {

using namespace vantage;

namespace {

// Functions that set one field of an instruction or a micro-op, from the table that vta_pkg.sv's getters come from.
std::string field_setters(const isa::Config& config) {
  constexpr std::pair<isa::Format, const char*> kFormats[] = {{isa::Format::kTransfer, "transfer"},
                                                              {isa::Format::kGemm, "gemm"},
                                                              {isa::Format::kAlu, "alu"},
                                                              {isa::Format::kMicroOp, "uop"}};
  const isa::Layout layout(config);
  std::string out;
  for (const auto& [format, name] : kFormats) {
    const int bits = format == isa::Format::kMicroOp ? 32 : 128;
    for (const isa::Field& f : layout.fields(format)) {
      out += fmt::format("function automatic logic [{0}:0] with_{1}_{2}(input logic [{0}:0] word, input int value);\n",
                         bits - 1, name, f.name);
      out += fmt::format("  with_{}_{} = word;\n", name, f.name);
      if (f.width > 0) {
        out +=
            fmt::format("  with_{}_{}[{} +: {}] = {}'(value);\n", name, f.name, f.word * 64 + f.lsb, f.width, f.width);
      }
      out += "endfunction\n";
    }
  }
  return out;
}

struct Bench {
  std::string module;
  std::string parameter;  // NAME=VALUE, or none
};

std::filesystem::path benches() {
  return test::source_dir() / "tests" / "hw" / "rtl" / "benches";
}

void run_bench(const Bench& bench, const test::NamedConfig& on, const std::filesystem::path& folder, int seed) {
  INFO(bench.module << " " << bench.parameter << ", " << on.name << ", seed " << seed);
  std::vector<std::string> argv = {"iverilog", "-g2012", "-I.", "-I" + benches().string(), "-s", bench.module};
  if (!bench.parameter.empty()) argv.push_back("-P" + bench.module + "." + bench.parameter);
  argv.insert(argv.end(), {"-o", "bench.vvp"});
  for (const std::string& file : rtl::module_files()) argv.push_back(file);
  argv.push_back((benches() / (bench.module + ".sv")).string());
  run_tool(argv, folder, "iverilog");

  const test::TemporaryFolder logs;
  const auto log = logs.path() / "log";
  run_process({"vvp", "-n", "bench.vvp", fmt::format("+seed={}", seed)}, folder, log, "iverilog");
  const std::string output = read_file(log, Bytes(1 << 24));
  INFO(output);
  CHECK(output == "PASS\n");
}

// On every configuration of the differential tests, each with a seed of its own.
void run_everywhere(const std::string& module) {
  int seed = 0;
  for (const test::NamedConfig& on : test::rtl_configs()) {
    const test::TemporaryFolder folder;
    rtl::write_sources(on.config, folder.path());
    write_file(folder.path() / "insn.svh", field_setters(on.config));
    for (int round = 0; round < test::rounds(1); ++round) run_bench({module, ""}, on, folder.path(), ++seed);
  }
}

// For modules that do not depend on the configuration.
void run_once(const std::string& module, const std::vector<std::string>& parameters) {
  const test::TemporaryFolder folder;
  const test::NamedConfig on = {"1x1", test::smallest_config()};
  rtl::write_sources(on.config, folder.path());
  write_file(folder.path() / "insn.svh", field_setters(on.config));
  for (const std::string& parameter : parameters) {
    for (int seed = 1; seed <= test::rounds(1); ++seed) run_bench({module, parameter}, on, folder.path(), seed);
  }
}

}  // namespace

TEST_CASE("vta_fifo by itself", "[unit]") {
  run_once("vta_fifo_bench", {"Depth=1", "Depth=2", "Depth=16"});
}
TEST_CASE("vta_token_queue by itself", "[unit]") {
  run_once("vta_token_queue_bench", {""});
}
TEST_CASE("vta_arbiter by itself", "[unit]") {
  run_once("vta_arbiter_bench", {"N=1", "N=2", "N=3", "N=5"});
}
TEST_CASE("vta_dispatch, with the command queues, by itself", "[unit]") {
  run_once("vta_dispatch_bench", {""});
}
TEST_CASE("vta_axi_read by itself", "[unit]") {
  run_once("vta_axi_read_bench", {""});
}
TEST_CASE("vta_regs by itself", "[unit]") {
  run_once("vta_regs_bench", {""});
}
TEST_CASE("vta_fetch by itself", "[unit]") {
  run_everywhere("vta_fetch_bench");
}
TEST_CASE("vta_dma_read by itself", "[unit]") {
  run_everywhere("vta_dma_read_bench");
}
TEST_CASE("vta_loop_check by itself", "[unit]") {
  run_everywhere("vta_loop_check_bench");
}
TEST_CASE("vta_gemm_core by itself", "[unit]") {
  run_everywhere("vta_gemm_core_bench");
}
TEST_CASE("vta_gemm_engine by itself", "[unit]") {
  run_everywhere("vta_gemm_engine_bench");
}
TEST_CASE("vta_alu by itself", "[unit]") {
  run_everywhere("vta_alu_bench");
}
TEST_CASE("vta_vector_engine by itself", "[unit]") {
  run_everywhere("vta_vector_engine_bench");
}
TEST_CASE("vta_store by itself", "[unit]") {
  run_everywhere("vta_store_bench");
}

}  // namespace vantage::test::hw_rtl_bench_test
