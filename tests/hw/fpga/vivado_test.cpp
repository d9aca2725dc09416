// The Vivado project as far as it can be checked without Vivado: the wrapper fits the core, the script is Tcl that uses
// nothing undefined, and the board's facts reach it.
#include <fmt/format.h>

#include <set>

#include "base/file.h"
#include "base/process.h"
#include "hw/fpga/vivado_project.h"
#include "hw/isa/register_map.h"
#include "hw/isa/rtl_package.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"

namespace vantage::test::hw_fpga_vivado_test {

using namespace vantage;

namespace {

fpga::Board board(const std::string& name) {
  return fpga::Board::load(test::source_dir() / "configs" / "boards" / (name + ".json"));
}

std::string output_of(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                      const std::string& package) {
  const test::TemporaryFolder logs;
  const auto log = logs.path() / "log";
  const int status = run_process(argv, folder, log, package);
  INFO(argv.front() << " " << folder);
  CHECK(status == 0);
  return read_file(log, Bytes(1 << 24));
}

}  // namespace

TEST_CASE("the wrapper's ports fit the core's, whatever the bus", "[unit]") {
  std::set<uint64_t> seen;  // the ports depend on nothing else
  for (const auto& [name, config] : test::rtl_configs()) {
    if (!seen.insert(config.bus_width().count()).second) continue;
    const test::TemporaryFolder folder;
    fpga::write_vivado_project(config, board("pynq-z1"), folder.path());
    const std::string width = fmt::format("-GBUS_BITS={}", config.bus_width().count() * 8);
    INFO(name);
    // AXI4-Lite's protection inputs have no meaning here, and nobody watches the trace
    CHECK(output_of({"verilator", "--lint-only", "-Wall", "-Wno-UNUSEDSIGNAL", "-Wno-PINCONNECTEMPTY", "--top",
                     "vta_axi", width, "lint.vlt", "vta_pkg.sv", "vta_axi.v"},
                    folder.path(), "verilator") == "");
  }
}

TEST_CASE("the script builds the board's system", "[unit]") {
  const std::string recorder = (test::source_dir() / "tests" / "hw" / "fpga" / "vivado_recorder.tcl").string();
  const auto config = test::changed("pynq", {{"CLOCK_MHZ", 125}, {"LOG_BUS_WIDTH", 7}});
  for (const char* name : {"pynq-z1", "pynq-z2"}) {
    const test::TemporaryFolder folder;
    fpga::write_vivado_project(config, board(name), folder.path());
    const std::string text = output_of({"tclsh", recorder, "vivado.tcl"}, folder.path(), "tcl");
    INFO(name << "\n" << text);
    CHECK_THAT(text, ContainsSubstring("-part xc7z020clg400-1"));
    CHECK_THAT(text, ContainsSubstring(std::string("set_property board_part ") + board(name).board_part + ":1.0"));
    CHECK_THAT(text, ContainsSubstring("CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ 125"));
    CHECK_THAT(text, ContainsSubstring("CONFIG.PCW_USE_S_AXI_HP0 1"));
    CHECK_THAT(text, ContainsSubstring("set_property CONFIG.BUS_BITS 128"));
    CHECK_THAT(text, ContainsSubstring(fmt::format("assign_bd_address -offset 0x43c00000 -range {}K",
                                                   (1 << isa::kRegisterAddressBits) / 1024)));
    CHECK_THAT(text, ContainsSubstring("connect_bd_net {get_bd_pins ps/FCLK_CLK0} {get_bd_pins ps/S_AXI_HP0_ACLK}"));
    CHECK_THAT(text, ContainsSubstring("copy " + (folder.path() / ("vta-" + config.name() + ".bit")).string()));
    CHECK_THAT(text, ContainsSubstring(fmt::format("reads 0x{:016x}", isa::hardware_hash(config))));
  }
}

TEST_CASE("the Vivado project says which boards it is for", "[unit]") {
  const test::TemporaryFolder folder;
  CHECK_THAT(ERROR_OF(fpga::write_vivado_project(test::shipped_config("default"), board("ultra96"), folder.path())),
             ContainsSubstring("board ultra96 has family xcup") && ContainsSubstring("pynq-z1"));
  fpga::Board other = board("pynq-z1");
  other.interrupt = 62;
  CHECK_THAT(ERROR_OF(fpga::write_vivado_project(test::shipped_config("default"), other, folder.path())),
             ContainsSubstring("has interrupt 62"));
}

}  // namespace vantage::test::hw_fpga_vivado_test
