// Programs that a user brings: assembled, disassembled, run on tensors from files.
#include "base/file.h"
#include "base/json.h"
#include "base/tensor/npy.h"
#include "hw/isa/config.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_program_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;

namespace {

// C = the low 8 bits of B, whatever the lanes.
std::string copy_program() {
  return ".config " + isa::Config::vta_default().to_json().dump() + R"(
.tensor B acc 2 input
.tensor C out 2 output
load.acc sram=0 dram=B+0 y=1 x=2 stride=2 push=next
store.out sram=0 dram=C+0 y=1 x=2 stride=2 pop=prev push=prev
finish pop=next
)";
}

}  // namespace

TEST_CASE("an assembled program runs on arrays from files", "[unit]") {
  const test::TemporaryFolder folder;
  const auto at = [&](const char* name) { return (folder.path() / name).string(); };
  const auto source = folder.file("copy.s", copy_program()).string();
  const auto program = at("copy.vta");
  REQUIRE(run_cli({"asm", source}).status == 0);
  Tensor values(kInt32, {2, 1, 16});
  for (int64_t i = 0; i < values.size(); ++i) values.set_integer(i, 3 * i - 20);
  write_npy(at("b.npy"), values);
  for (const std::string target : {"fsim:", "systemc:"}) {
    const auto run =
        run_cli({"run", program, "--in", "B=" + at("b.npy"), "--out", "C=" + at("c.npy"), "--target", target});
    INFO(run.err);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, ContainsSubstring("program copy\non " + target));
    CHECK(read_npy(at("c.npy")) == values.converted(kInt8));
  }
  CHECK(parse_json(run_cli({"run", program, "--list", "--json"}).out, "stdout")[0]["shape"] == Json::array({2, 1, 16}));

  write_npy(at("short.npy"), Tensor(kInt32, {5}));
  check_refused({"run", program}, "inputs without values: give --in B=FILE.npy (int32[2, 1, 16])");
  check_refused({"run", program, "--in", "D=" + at("b.npy")}, "the program has no tensor 'D'");
  check_refused({"run", program, "--in", "C=" + at("b.npy")}, "the tensor is an output of the program; use --out");
  check_refused({"run", program, "--in", "b.npy"}, "--in is 'b.npy', expected NAME=FILE.npy");
  check_refused({"run", program, "--in", "B=" + at("short.npy")}, "short.npy: it is int32[5], which has 5 values");
  check_refused({"run", program, "--in", "B=" + at("none.npy")}, "none.npy: cannot be read");
  check_refused({"run", program, "--in", "B=" + at("b.npy"), "--out", "C=/nonexistent/c.npy"}, "does not exist");
  const std::string large = at("large.s");
  write_file(large,
             ".config " + isa::Config::vta_default().to_json().dump() + "\n.tensor A wgt 4294967295 input\nfinish\n");
  check_refused({"run", large, "--random", "1"}, "its tensors and micro-ops take");
  check_refused({"run", at("absent.vta")}, "absent.vta: cannot be read");
}

TEST_CASE("a recorded run's program is edited, assembled and run with what it recorded", "[unit]") {
  const test::TemporaryFolder folder;
  const auto at = [&](const char* name) { return (folder.path() / name).string(); };
  REQUIRE(run_cli({"run", "gemm", "--m", "4", "--k", "32", "--n", "16", "--record", at("b"), "--out", at("c.npy")})
              .status == 0);
  const auto text = run_cli({"disasm", at("b")});
  CHECK_THAT(text.out, ContainsSubstring(".tensor A inp 8 input") && ContainsSubstring(".tensor C out 4 output") &&
                           ContainsSubstring("dram=A+0") && ContainsSubstring(".uop dst="));
  const auto source = folder.file("b.s", text.out).string();
  REQUIRE(run_cli({"asm", source, "-o", at("b.vta")}).status == 0);
  CHECK(run_cli({"disasm", at("b.vta")}).out == text.out);
  REQUIRE(run_cli({"run", at("b"), "--out", "C=" + at("again.npy")}).status == 0);
  CHECK(read_npy(at("again.npy")).reshaped({4, 16}) == read_npy(at("c.npy")));
  check_refused({"run", at("b.vta")}, "give --in A=FILE.npy (int8[8, 1, 16]), W=FILE.npy (int8[2, 16, 16])");
}

}  // namespace vantage::test::cli_program_test
