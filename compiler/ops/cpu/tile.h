// The tile of a result that is summed in registers.
#pragma once

#include "compiler/backend/cpu/target.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Throws Error for less than one thread.
void check_threads(int threads);

// Rows, each of which a number of the other operand is broadcast for, and columns, a few vectors wide.
struct RegisterTile {
  int64_t rows, columns;
};

// For a result of this many rows and columns of 4-byte sums, the tile that does the most useful work per instruction:
// large ones load less for each product, but the last one in a row or column may be mostly padding.
RegisterTile choose_register_tile(int64_t rows, int64_t columns, const cpu::Target& target);

// Makes the innermost loops of a block that sums a tile: those of depth, in their order, around its rows, which are
// written out, and its columns, which are vectors. The sums start from zero in front of the first loop of depth.
void schedule_register_tile(schedule::Schedule& s, const schedule::BlockRV& tile,
                            const std::vector<schedule::LoopRV>& depth, const schedule::LoopRV& row,
                            const schedule::LoopRV& column);
// The same for one row.
void schedule_lane_sums(schedule::Schedule& s, const schedule::BlockRV& sums,
                        const std::vector<schedule::LoopRV>& depth, const schedule::LoopRV& column);

}  // namespace vantage::ops
