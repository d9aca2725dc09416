// What a transfer makes a stage's DMA do: rows of bytes in memory, and zeros among them.
#pragma once

#include <cstdint>

#include "hw/core/burst_cutter.h"
#include "hw/isa/config.h"
#include "hw/isa/insn.h"

namespace vantage::core {

// Without rows it only takes its turn.
struct DmaTransfer {
  Rows rows;
  uint64_t zeros_first = 0;    // elements before the first row
  uint64_t zeros_between = 0;  // after each row but the last
  uint64_t zeros_last = 0;

  // `transfer`: legal. Rows that adjoin in memory are one.
  static DmaTransfer of(const isa::Transfer& transfer, const isa::Config& config);
};

}  // namespace vantage::core
