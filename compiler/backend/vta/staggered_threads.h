// The order in which virtual threads are interleaved that are half a tile apart.
#pragma once

#include "compiler/backend/vta/virtual_threads.h"

namespace vantage::vta {

// Tile by tile, thread after thread: while one thread's sums are made, the epilogue of the thread before is spread
// among them, as many cycles of the one as of the other, so that GEMM core and ALU both work. What waits for
// stores comes last. A thread keeps its own order. REQUIRES: the threads are apart (check_apart()). `kernels`: those
// that the operations name; `beat`: bytes of the bus.
std::vector<Operation> staggered(std::vector<ThreadTurns> threads, const std::vector<Kernel>& kernels, uint64_t beat);

}  // namespace vantage::vta
