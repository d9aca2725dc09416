#include "hw/fpga/vivado_project.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "hw/isa/rtl_package.h"

namespace vantage::fpga {

namespace {

// Number of a Zynq-7000's first interrupt from the fabric, IRQ_F2P[0], at the processor's controller.
constexpr uint64_t kFirstFabricInterrupt = 61;

}  // namespace

void require_vivado_project(const Board& board) {
  if (board.family != "xc7") {
    fail("board {} has family {}: the Vivado project is for Zynq-7000 boards (xc7), as pynq-z1 and pynq-z2 are",
         board.name, board.family);
  }
  if (board.interrupt != kFirstFabricInterrupt) {
    fail("board {} has interrupt {}: the Vivado project raises the first of the fabric, {}", board.name,
         board.interrupt, kFirstFabricInterrupt);
  }
}

void write_vivado_project(const isa::Config& config, const Board& board, const std::filesystem::path& folder) {
  require_vivado_project(board);
  rtl::write_sources(config, folder);
  for (const EmbeddedFile& source : vivado_files()) write_file(folder / source.name, source.text);
  write_file(folder / "settings.tcl", fmt::format("# What vivado.tcl needs to know of the configuration and the board\n"
                                                  "set name vta-{}\n"
                                                  "set config_hash 0x{:016x}\n"
                                                  "set clock_mhz {}\n"
                                                  "set bus_bits {}\n"
                                                  "set board_name {}\n"
                                                  "set board_part {{{}}}\n"
                                                  "set part {}\n"
                                                  "set registers 0x{:08x}\n"
                                                  "set memory_port {}\n",
                                                  config.name(), isa::hardware_hash(config), config.keys().clock_mhz,
                                                  config.bus_width().count() * 8, board.name, board.board_part,
                                                  board.part, board.registers, board.memory_port));
}

}  // namespace vantage::fpga
