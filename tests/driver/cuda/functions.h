// Functions that tests run on GPUs, compiled once for all of them.
#pragma once

#include "tests/driver/cuda/some_gpu.h"

namespace vantage::test {

enum GpuFunction : size_t {
  kReversed,  // (A int32[1000], B int32[1000]): B = 3 * (A + 1) backwards, by two kernels and memory between them
  kScalars,   // one scalar of every type, each stored to a tensor of one element
  kShared,    // (A int32[20000], B int32[20000]): B = A backwards, through more shared memory than a kernel declares
  kCount,     // (X int32[64], Y int32[64]): Y += X, which counts calls
  kSteps,     // (X int32[64], Y int32[64]): Y += 0 * X + 1 * X + ... + 4 * X, a launch for each
};

const GpuPrograms& gpu_programs();

}  // namespace vantage::test
