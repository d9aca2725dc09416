// A Vivado project that puts a core on a Zynq-7000 board: processing system, memory port, clock, interrupt, address
// map. The project's tests have no Vivado to run it with (vivado/vivado.tcl says what they do check).
#pragma once

#include <filesystem>
#include <vector>

#include "hw/fpga/board.h"
#include "hw/isa/config.h"
#include "hw/rtl/sources.h"

namespace vantage::fpga {

// vivado.tcl and the wrapper vta_axi.v, as they were when this library was built.
const EmbeddedFiles& vivado_files();

// Throws Error when the board is not one that the project is for.
void require_vivado_project(const Board& board);

// Writes the core's sources, the files above and settings.tcl into `folder`, which exists. Throws Error as
// require_vivado_project() does.
void write_vivado_project(const isa::Config& config, const Board& board, const std::filesystem::path& folder);

}  // namespace vantage::fpga
