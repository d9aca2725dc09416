// Boards and register maps by file or by name, and which board this is.
#pragma once

#include <filesystem>
#include <string>

#include "driver/boards/run_protocol.h"
#include "driver/boards/system.h"
#include "hw/fpga/board.h"

namespace vantage::boards {

// A JSON file, or the name of one in `folder` (configs/boards). Throws Error that suggests a near name.
fpga::Board load_board(const std::filesystem::path& folder, const std::string& file_or_name);

// The same for one in `folder`/register_maps.
RunProtocol load_register_map(const std::filesystem::path& folder, const std::string& file_or_name);

// The board that this program runs on: as `file_or_name` says, or, where that is empty, as its image does
// (find_own_board). Throws Error when the image, or the device tree, says that this is another one: on a board whose
// registers lie elsewhere, an access to what is named would never end.
fpga::Board this_board(System& system, const std::filesystem::path& folder, const std::string& file_or_name);

// The board in `folder` whose image_names has the name that the running image gives its board: in the environment
// variable BOARD, or in the device tree. Throws Error when it gives none, or one that is not there.
fpga::Board find_own_board(System& system, const std::filesystem::path& folder);

}  // namespace vantage::boards
