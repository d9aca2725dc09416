// The tile of a result that is summed in registers.
#pragma once

#include "compiler/target/llvm/cpu_target.h"

namespace vantage::compiler {

inline int64_t round_up(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

// Throws Error for less than one thread.
void check_threads(int threads);

// Rows, each of which a number of the other operand is broadcast for, and columns, a few vectors wide.
struct RegisterTile {
  int64_t rows, columns;
};

// For a result of this many rows and columns of 4-byte sums, the tile that does the most useful work per instruction:
// large ones load less for each product, but the last one in a row or column may be mostly padding.
RegisterTile choose_register_tile(int64_t rows, int64_t columns, const CpuTarget& target);

}  // namespace vantage::compiler
