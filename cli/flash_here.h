// Flashing the board that this program runs on, for the command line and for clients of a server.
#pragma once

#include "driver/boards/bitstream_store.h"
#include "driver/boards/plan.h"
#include "driver/boards/system.h"
#include "driver/rpc/protocol/flash_job.h"
#include "hw/fpga/board.h"

namespace vantage::cli {

// Throws Error unless the bitstream is verified, or `force` is set.
void require_verified(const boards::Bitstream& bitstream, bool force);

// The board that a URI pynq:[BOARD][#MAP] names, or that this machine's image says. Throws Error.
fpga::Board board_of(boards::System& system, const std::string& uri);

// What a client sent: known by its hash, checked, flashed. What is in an FPGA reaches all of the board's memory, so
// without `allow_unverified` it must be a bitstream of the store, with its register map, and no faster than it was made
// for; with it, the client may say otherwise. Throws Error.
void flash_here(boards::System& system, const boards::BitstreamStore& store, const fpga::Board& board,
                const rpc::FlashJob& job, bool allow_unverified, const boards::Step& step);

}  // namespace vantage::cli
