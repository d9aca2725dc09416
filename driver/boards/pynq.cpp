#include "driver/boards/pynq.h"

#include "driver/boards/board_accelerator.h"
#include "driver/boards/board_files.h"
#include "driver/boards/flash_record.h"
#include "hw/spec/error.h"

namespace vantage::boards {

namespace {

std::unique_ptr<driver::Accelerator> open(const std::string& uri, const spec::Config& config,
                                          const driver::AcceleratorOptions& options) {
  auto system = std::make_unique<System>();
  const std::string rest = uri.substr(uri.find(':') + 1);
  const size_t hash = rest.find('#');
  const std::string board = rest.substr(0, hash);
  BoardOptions board_options;
  board_options.uri = uri;
  board_options.board = board.empty() ? find_own_board(*system, options.boards) : load_board(options.boards, board);
  const auto record = read_flash_record(*system);
  const std::string map = hash != std::string::npos ? rest.substr(hash + 1) : record ? record->register_map : "vantage";
  board_options.map = load_register_map(options.boards, map);
  // A core that cannot say what it was built for: its bitstream's file did.
  if (!board_options.map.is_core && record && record->config.name() != config.name()) {
    fail("the bitstream that was flashed, {}, is of configuration {}, not {}; give that one with --config",
         record->name, record->config.name(), config.name());
  }
  board_options.programmed_elsewhere = record.has_value();
  if (options.dram) board_options.memory = *options.dram;
  if (options.log) board_options.log = options.log;
  return open_board(std::move(system), config, std::move(board_options));
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
