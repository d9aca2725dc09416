// Flashing this machine's board for a client of its server.
#pragma once

#include <filesystem>
#include <stop_token>

#include "driver/boards/bitstream_store.h"
#include "driver/boards/flash_job.h"
#include "driver/boards/plan.h"
#include "driver/boards/system.h"
#include "hw/fpga/board.h"

namespace vantage::boards {

// Throws Error unless the bitstream is verified, or `force` is set.
void require_verified(const Bitstream& bitstream, bool force);

// The board that a URI pynq:[BOARD][#MAP] names, or that this machine's image says. Throws Error.
fpga::Board board_of(System& system, const std::filesystem::path& boards, const std::string& uri);

// What a client sent: known by its hash, checked, flashed. What is in an FPGA reaches all of the board's memory, so
// without `allow_unverified` it must be a bitstream of the store, with its register map, and no faster than it was made
// for; with it, the client may say otherwise. `stop` is as for flash(). `boards` is the folder with the descriptions of
// boards. Throws Error.
void flash_served(System& system, const BitstreamStore& store, const std::filesystem::path& boards,
                  const fpga::Board& board, const FlashJob& job, bool allow_unverified, const Step& step,
                  const std::stop_token& stop = {});

}  // namespace vantage::boards
