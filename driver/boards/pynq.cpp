#include "driver/boards/pynq.h"

#include "base/error.h"
#include "driver/boards/board_accelerator.h"
#include "driver/boards/board_files.h"
#include "driver/boards/flash_record.h"
#include "driver/boards/system.h"

namespace vantage::boards {

namespace {

// What is in the FPGA if it cannot say so itself: as it was noted, or the driver would compute wrong addresses for it.
void require_noted(const RunProtocol& map, const isa::Config& config, const std::optional<FlashRecord>& record) {
  if (map.is_core) return;
  if (!record) {
    fail(
        "nothing is noted of what is in the FPGA, and a core with register map {} cannot say what it is; flash it, or, "
        "when it is there already, say so with `vantage flash --adopt --map {} --config F`",
        map.name, map.name);
  }
  if (record->register_map != map.name) {
    fail("the bitstream that was flashed, {}, has register map {}, not {}", record->name, record->register_map,
         map.name);
  }
  if (const auto other = isa::hardware_difference(record->config, config); !other.empty()) {
    fail("the bitstream that was flashed, {}, is of configuration {}, not {}: its {}; give that one with --config",
         record->name, record->config.name(), config.name(), other);
  }
}

std::unique_ptr<driver::Accelerator> open(const std::string& uri, const isa::Config& config,
                                          const driver::AcceleratorOptions& options) {
  const auto system = options.machine != nullptr ? options.machine : std::make_shared<System>();
  const std::string rest = uri.substr(uri.find(':') + 1);
  const size_t hash = rest.find('#');
  const std::string board = rest.substr(0, hash);
  BoardOptions board_options;
  board_options.uri = uri;
  board_options.board = this_board(*system, options.boards, board);
  const auto record = read_flash_record(*system);
  const std::string map = hash != std::string::npos ? rest.substr(hash + 1) : record ? record->register_map : "vantage";
  board_options.map = load_register_map(options.boards, map);
  require_noted(board_options.map, config, record);
  board_options.programmed_elsewhere = record.has_value();
  if (record && record->clock_mhz > 0) board_options.noted_clock_mhz = record->clock_mhz;
  if (options.dram) board_options.memory = *options.dram;
  if (options.log) board_options.log = options.log;
  return open_board(system, config, std::move(board_options));
}

}  // namespace

driver::AcceleratorKind pynq() {
  return {
      .scheme = "pynq",
      .rest = "[BOARD]",
      .meaning = "the FPGA of the board that this runs on: results, and counters and cycles where the core has them",
      .has_dram = true,
      .is_hardware = true,
      .open = open};
}

}  // namespace vantage::boards
