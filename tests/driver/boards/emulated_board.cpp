// A board as a process of its own: a core behind a socket, and memory in a file that it shares with the driver.
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "sim/functional/functional_machine.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tools/emulated_board/fabric_server.h"
#include "tools/emulated_board/machine_blocks.h"
#include "tools/emulated_board/machine_registers.h"
#include "tools/emulated_board/verilated_core.h"

using namespace vantage;

namespace {

std::unique_ptr<emulated::Fabric> make_fabric(const std::string& core, const std::string& machine,
                                              const isa::Config& config, sim::Dram& memory) {
  if (core == "rtl") {
    return emulated::verilated_core(config, test::rtl_library(config), test::memory_setting("m64"), memory);
  }
  auto behind = machine == "rtl" ? test::rtl_machine(config) : sim::make_functional_machine(config);
  if (core == "vantage") return emulated::machine_registers(std::move(behind), memory);
  const auto map = boards::RunProtocol::load(test::source_dir() / "configs/boards/register_maps/published.json");
  return emulated::machine_blocks(std::move(behind), memory, map);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("a core behind a socket");
  std::string socket, memory_file, core, machine = "functional", config = "default";
  uint32_t address = 0x43c00000;
  app.add_option("socket", socket)->required();
  app.add_option("memory", memory_file)->required();
  app.add_option("--core", core, "rtl, vantage or published")->required();
  app.add_option("--machine", machine, "functional or rtl, behind the registers of the last two");
  app.add_option("--config", config);
  app.add_option("--address", address);
  CLI11_PARSE(app, argc, argv);
  try {
    sim::Dram memory(memory_file, Bytes(std::filesystem::file_size(memory_file)));
    const auto fabric = make_fabric(core, machine, test::shipped_config(config), memory);
    emulated::FabricServer server(socket);
    for (;;) server.serve(*fabric, address, 0x10000);
  } catch (const std::exception& error) {
    fmt::print(stderr, "emulated_board: {}\n", error.what());
    return 1;
  }
}
