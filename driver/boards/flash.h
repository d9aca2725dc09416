// Putting a bitstream on the board that this runs on: checked, programmed, clocked, tried, noted; and taken back when
// it does not work.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "driver/boards/bitstream.h"
#include "driver/boards/flash_record.h"
#include "driver/boards/plan.h"
#include "driver/boards/programmer.h"
#include "driver/boards/run_protocol.h"
#include "driver/boards/system.h"
#include "hw/fpga/board.h"
#include "hw/isa/config.h"

namespace vantage::boards {

struct FlashRequest {
  fpga::Board board;
  Bitstream bitstream;
  RunProtocol map;
  isa::Config config;    // that the bitstream is to be of
  double clock_mhz = 0;  // 0: the configuration's
  // The bitstream is in the FPGA already, put there over JTAG or as the board started: it has a name only.
  bool adopt = false;
};

// Throws Error unless the bitstream is for this board's part and of that configuration, as far as it is known, and the
// clock is one that an FPGA can have.
void require_flashable(const FlashRequest& request);
// Throws Error where the bitstream is known to be made for a slower clock.
void require_clock(const FlashRequest& request);

// All steps, by a way to program the FPGA. Reads only; the steps write, and throw Error. One of them tries the
// hardware: a program zeros its scratchpads. System and request must outlive them.
Plan flash_plan(System& system, const FlashRequest& request, const Programmer& programmer);

// Carries the plan out, by the way that the kernel has. When a step fails after the FPGA was changed, or no further one
// begins because of `stop`, what was in it before is put back, if it is known, and the error says whether that worked.
// A core that works and cannot be noted is a warning, told as a step. Throws Error.
void flash(System& system, const FlashRequest& request, const Step& step, const std::stop_token& stop = {});

}  // namespace vantage::boards
