#include "driver/boards/board_files.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/error.h"
#include "base/settings.h"
#include "base/suggest.h"

namespace vantage::boards {

namespace fs = std::filesystem;

namespace {

// Where Pynq's images write their board's name.
const fs::path kTreeName = "/proc/device-tree/chosen/pynq_board";

// What the kernel says of the chip, texts that end with a zero each, and which family has it.
const fs::path kCompatible = "/proc/device-tree/compatible";
constexpr std::pair<std::string_view, std::string_view> kChips[] = {{"xlnx,zynq-7000", "xc7"}, {"xlnx,zynqmp", "xcup"}};

// None where the image does not say.
std::optional<std::string> own_name(System& system) {
  if (const char* name = std::getenv("BOARD"); name != nullptr && *name != '\0') return name;
  if (system.exists(kTreeName)) return read_attribute(system, kTreeName);
  return std::nullopt;
}

std::optional<fpga::Board> board_called(const fs::path& folder, const std::string& image_name) {
  for (const std::string& setting : settings_in(folder)) {
    fpga::Board board = fpga::Board::load(folder / (setting + ".json"));
    if (std::count(board.image_names.begin(), board.image_names.end(), image_name) != 0) return board;
  }
  return std::nullopt;
}

void require_chip(System& system, const fpga::Board& board) {
  if (!system.exists(kCompatible)) return;
  const std::string all = '\0' + read_whole(system, kCompatible) + '\0';
  for (const auto& [chip, family] : kChips) {
    const bool is_here = all.find('\0' + std::string(chip) + '\0') != std::string::npos;
    if (is_here && family != board.family) {
      fail(
          "{} has an FPGA of the family {}, and {} says that this machine's chip is {}, of {}; name the board that "
          "this is",
          board.name, board.family, kCompatible.string(), chip, family);
    }
  }
}

}  // namespace

fpga::Board load_board(const fs::path& folder, const std::string& file_or_name) {
  return fpga::Board::load(find_settings(file_or_name, folder, "board"));
}

RunProtocol load_register_map(const fs::path& folder, const std::string& file_or_name) {
  return RunProtocol::load(find_settings(file_or_name, folder / "register_maps", "register map"));
}

fpga::Board this_board(System& system, const fs::path& folder, const std::string& file_or_name) {
  fpga::Board board = file_or_name.empty() ? find_own_board(system, folder) : load_board(folder, file_or_name);
  require_chip(system, board);
  // A description of one's own may know no image.
  const auto name = board.image_names.empty() ? std::nullopt : own_name(system);
  if (!name || std::count(board.image_names.begin(), board.image_names.end(), *name) != 0) return board;
  if (const auto other = board_called(folder, *name)) {
    fail("this image calls its board '{}', which is {}, not {}; name that one, or none", *name, other->name,
         board.name);
  }
  return board;
}

fpga::Board find_own_board(System& system, const fs::path& folder) {
  const std::optional<std::string> name = own_name(system);
  if (!name) {
    fail(
        "which board this is cannot be told: neither BOARD nor {} says; name it: --target pynq:pynq-z1, or --board "
        "pynq-z1",
        kTreeName.string());
  }
  if (auto board = board_called(folder, *name)) return *std::move(board);
  fail(
      "this image calls its board '{}', which no board's image_names has; name it: --target pynq:pynq-z1, or --board "
      "pynq-z1{}",
      *name, did_you_mean(*name, settings_in(folder)));
}

}  // namespace vantage::boards
