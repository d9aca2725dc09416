// A core on this machine's own FPGA as a device: real registers, real memory.
//
// Buffers lie in memory that the FPGA reaches; their addresses are physical. Programs are verified before they run,
// also those that were only written to memory, because a core may check nothing and a board has no wall around its
// memory. After a run that failed, scratchpads are zero.
//
// Thread safety: none. One such device at a time on a board; a second is refused.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driver/boards/board_lock.h"
#include "driver/boards/memory/contiguous_memory.h"
#include "driver/boards/run_protocol.h"
#include "driver/boards/system.h"
#include "driver/device/accelerator.h"
#include "hw/fpga/board.h"

namespace vantage::boards {

struct BoardOptions {
  std::string uri = "pynq:";
  fpga::Board board;
  RunProtocol map;
  Bytes memory{uint64_t{64} << 20};  // at most; as much as there is
  // Somebody says that there is a core in the FPGA though the kernel, which did not put it there, does not know.
  bool programmed_elsewhere = false;
  std::shared_ptr<BoardLock> lock;  // the caller's; null: the device takes one
  std::vector<MemoryProvider> providers = memory_providers();
  // Told in a line each how the board is reached.
  std::function<void(const std::string&)> log = [](const std::string&) {};
  // In MHz, for where the clock's registers cannot be read; none: nobody knows.
  std::optional<double> noted_clock_mhz;
};

// Opens it with zeroed memory and scratchpads, the latter by a run that shows that the core answers. Throws Error when
// the FPGA holds nothing, or another core than one of this configuration, when registers or memory cannot be had, or
// the core does not answer.
std::unique_ptr<driver::Accelerator> open_board(std::shared_ptr<System> system, const isa::Config& config,
                                                BoardOptions options);

}  // namespace vantage::boards
