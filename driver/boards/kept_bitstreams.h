// The bitstream in the FPGA and the one before it, kept in files of the board's so that a flash can be taken back.
#pragma once

#include <optional>

#include "driver/boards/bitstream.h"
#include "driver/boards/flash_record.h"
#include "driver/boards/system.h"

namespace vantage::boards {

struct KeptBitstream {
  Bitstream bitstream;
  FlashRecord record;
};

// What works in the FPGA, or worked last; and what did before. None when nothing was kept. Throw Error for damaged
// files.
std::optional<KeptBitstream> current_bitstream(System& system);
std::optional<KeptBitstream> previous_bitstream(System& system);

// A bitstream works: it is the current one, and what was current becomes the previous. Throws Error.
void keep_bitstream(System& system, const Bitstream& bitstream, const FlashRecord& record);

// What works is one that cannot be kept: what was current becomes the previous. Throws Error.
void set_aside_current(System& system);

}  // namespace vantage::boards
