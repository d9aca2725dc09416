// What is said on a machine that is no board.
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"
#include "tools/emulated_board/emulated_bitstream.h"

namespace vantage::test::cli_board_commands_test {

using namespace vantage;
using namespace vantage::test;

namespace {

std::string bitstream(const TemporaryFolder& folder, const std::string& part = "7z020clg400",
                      uint32_t idcode = 0x03727093) {
  return folder.file("1x16_i8w8a32_15_15_18_17.bit", emulated::emulated_bitstream("vta", part, idcode)).string();
}

}  // namespace

TEST_CASE("bitstreams are listed with what this machine has of them", "[unit]") {
  const auto listed = run_cli({"bitstream", "list", "--json"});
  REQUIRE(listed.status == 0);
  const Json rows = parse_json(listed.out, "list");
  REQUIRE(rows.size() >= 4);
  CHECK(rows[0]["name"] == "vta-pynq-0.0.2-1x16");
  CHECK(rows[0].contains("state"));
  CHECK_THAT(run_cli({"bitstream", "list"}).out, ContainsSubstring("vta-pynq-0.0.2-1x16 1x16_i8w8a32_15_15_18_17"));
  check_refused({"bitstream", "fetch", "vta-pynq-0.0.2-1x61"}, "did you mean 'vta-pynq-0.0.2-1x16'?");
  check_refused({"bitstream", "fetch", "vantage-pynq-1x16"}, "is built, not fetched");
  check_refused({"bitstream", "build", "--board", "pynq-z2", "--config", "8x8"}, "the program vivado is missing");
  check_refused({"bitstream", "build", "--board", "ultra96"}, "the Vivado project is for Zynq-7000 boards");
}

TEST_CASE("a dry run shows every step anywhere", "[unit]") {
  const TemporaryFolder folder;
  const auto dry = run_cli({"flash", bitstream(folder), "--board", "pynq-z1", "--force", "--dry-run"});
  REQUIRE(dry.status == 0);
  CHECK_THAT(dry.out, ContainsSubstring("/lib/firmware/vantage.bin\n"));
  CHECK_THAT(dry.out, ContainsSubstring("set the FPGA's clock to 100 MHz\n"));
  CHECK_THAT(dry.out, ContainsSubstring("run a program on the core at 0x43c00000, by register map vantage\n"));
  CHECK_THAT(dry.out, ContainsSubstring("Nothing was done.\n"));
  CHECK_THAT(dry.err, ContainsSubstring("this machine is no board"));
  const auto jtag = run_cli({"flash", bitstream(folder), "--board", "pynq-z2", "--force", "--dry-run", "--jtag"});
  CHECK_THAT(jtag.out, ContainsSubstring("openFPGALoader --board pynq_z2 "));
}

TEST_CASE("what cannot be flashed is refused", "[unit]") {
  const TemporaryFolder folder;
  const std::string file = bitstream(folder);
  check_refused({"flash", file, "--board", "pynq-z1", "--dry-run"}, "is not verified: no manifest knows its SHA-256");
  check_refused({"flash", file, "--board", "zcu104", "--force"}, "is for part 7z020clg400, but zcu104 has xczu7ev");
  check_refused({"flash", file, "--board", "pynq-z1", "--force"}, "this kernel has neither");
  check_refused({"flash", "--board", "pynq-z1"}, "which bitstream?");
  check_refused({"flash", file, "--jtag"}, "--board is missing");
  check_refused({"flash", file, "--board", "pynq-z1", "--rollback", "--jtag"}, "only the board itself knows");
  check_refused({"flash", file, "--board", "pynq-z1", "--force", "--target", "rpc://127.0.0.1:1"}, "no server answers");
  check_refused({"flash", folder.file("cut.bit", "\t").string(), "--board", "pynq-z1"}, "is cut off");
  check_refused({"flash", "nothing.bit", "--board", "pynq-z1"}, "there is no bitstream nothing.bit");
  check_refused({"run", "gemm", "--target", "pynq:"}, "name it: --target pynq:pynq-z1, or --board pynq-z1");
}

}  // namespace vantage::test::cli_board_commands_test
