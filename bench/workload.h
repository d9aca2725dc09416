// Programs to measure machines with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/ops/matmul/vta_blocks.h"
#include "hw/program/program.h"
#include "sim/machine.h"

namespace vantage::bench {

// A program in memory, ready to run.
struct Workload {
  Program program;
  std::vector<std::byte> memory;
  sim::ProgramImage image;
  uint64_t gemm_steps = 0;
  Bytes output;  // address of C
};

// A matrix multiply of this size on VTA's default configuration, its tensors filled with random bytes.
Workload make_workload(const MatmulShape& shape, const ops::Epilogue& epilogue);

}  // namespace vantage::bench
