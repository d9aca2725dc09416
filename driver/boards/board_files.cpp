#include "driver/boards/board_files.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/settings.h"
#include "base/suggest.h"

namespace vantage::boards {

namespace fs = std::filesystem;

namespace {

// Where Pynq's images write their board's name.
const fs::path kTreeName = "/proc/device-tree/chosen/pynq_board";

std::string own_name(System& system) {
  if (const char* name = std::getenv("BOARD"); name != nullptr && *name != '\0') return name;
  if (system.exists(kTreeName)) return read_attribute(system, kTreeName);
  fail(
      "which board this is cannot be told: neither BOARD nor {} says; name it: --target pynq:pynq-z1, or --board "
      "pynq-z1",
      kTreeName.string());
}

}  // namespace

fpga::Board load_board(const fs::path& folder, const std::string& file_or_name) {
  return fpga::Board::load(find_settings(file_or_name, folder, "board"));
}

RunProtocol load_register_map(const fs::path& folder, const std::string& file_or_name) {
  return RunProtocol::load(find_settings(file_or_name, folder / "register_maps", "register map"));
}

fpga::Board find_own_board(System& system, const fs::path& folder) {
  const std::string name = own_name(system);
  std::vector<std::string> known;
  for (const std::string& setting : settings_in(folder)) {
    fpga::Board board = fpga::Board::load(folder / (setting + ".json"));
    if (std::count(board.image_names.begin(), board.image_names.end(), name) != 0) return board;
    known.push_back(setting);
  }
  fail(
      "this image calls its board '{}', which no board's image_names has; name it: --target pynq:pynq-z1, or --board "
      "pynq-z1{}",
      name, did_you_mean(name, known));
}

}  // namespace vantage::boards
