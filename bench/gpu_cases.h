// What bench/gpu.cpp measures: functions as the compiler schedules and compiles them by default.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/shape/matmul.h"
#include "base/tensor/tensor.h"
#include "bench/gpu_banks.h"
#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/ptx_loops.h"
#include "compiler/ir/prim_func.h"
#include "native/gpu_program.h"
#include "workload/images_innermost.h"

namespace vantage::bench {

struct GpuCase {
  std::string name;
  ir::PrimFunc function;  // of operands, and a result last
  double operations = 0;  // products and sums count each
  // Exactly one of these is set.
  std::optional<workload::ImagesInnermost> convolution;
  std::optional<MatmulShape> matmul;  // which cuBLAS does as well
  bool b_transposed = false;          // of a product: B lies as [n][k]
  // What must be reached: a time, or a share of the vendor's rate.
  std::optional<double> most_seconds, least_ratio;
};
// `small`: of sizes that are soon done anywhere.
std::vector<GpuCase> gpu_cases(bool small);

// One element of the result, by its number in order, summed in double.
double expected_element(const GpuCase& one, const std::vector<Tensor>& operands, int64_t element);

// What can be told without a GPU. Other kernels than the one that multiplies may turn what it reads, and cut out or add
// up what it makes.
struct GpuKernelFacts {
  // Of all kernels.
  int64_t spill_bytes = 0;
  BankFacts banks;
  // Of the one that multiplies.
  int64_t registers = 0, shared_bytes = 0, threads = 0;
  cuda::PtxLoop loop;  // its busiest
  std::string occupancy;
};
struct CompiledCase {
  native::GpuProgram program;
  GpuKernelFacts facts;
};
// For the architecture, by NVRTC. Throws Error where that is not here.
CompiledCase compiled(const GpuCase& one, const cuda::Architecture& architecture);

}  // namespace vantage::bench
