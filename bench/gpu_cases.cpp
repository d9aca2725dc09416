#include "bench/gpu_cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/backend/cuda/program.h"
#include "compiler/backend/cuda/ptx_loops.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "compiler/te/te.h"

namespace vantage::bench {

using te::compute;
using te::create_prim_func;
using te::Expr;
using te::if_then_else;
using te::placeholder;
using te::reduce_axis;
using te::ReduceAxis;

namespace {

// Of products: whole tiles, and what no tile divides.
constexpr int64_t kSide = 4096, kOddSide = 1000;
// The tutorials' layer (docs/tutorials/gpu_conv2d.md): images lie innermost.
constexpr int64_t kSize = 14, kIn = 256, kOut = 512, kBatch = 256, kKernel = 3, kPad = 1;

te::Tensor rounded(const te::Tensor& sums, DType to) {
  if (sums.dtype() == to) return sums;
  return compute(
      sums.shape(),
      [&](const std::vector<te::Var>& at) {
        return cast(to, sums.at({at.begin(), at.end()}));
      },
      "rounded");
}

GpuCase product(int64_t side, DType type, DType sum, DType out, bool b_transposed, std::optional<double> least_ratio) {
  const te::Tensor a = placeholder({side, side}, type, "A"), b = placeholder({side, side}, type, "B");
  const ReduceAxis k = reduce_axis(side, "k");
  const te::Tensor sums = compute(
      {side, side},
      [&](Expr i, Expr j) { return te::sum(cast(sum, a(i, k)) * cast(sum, b_transposed ? b(j, k) : b(k, j)), {k}); },
      "sums");
  GpuCase one;
  one.name =
      fmt::format("product of {0} x {0}, {1}{2}", side, vantage::name(type), b_transposed ? ", B transposed" : "");
  one.function = create_prim_func({a, b, rounded(sums, out)}, "product");
  one.operations = 2.0 * static_cast<double>(side * side * side);
  one.matmul = MatmulShape{.m = side, .n = side, .k = side, .dtype = type, .transpose_b = b_transposed};
  one.b_transposed = b_transposed;
  one.least_ratio = least_ratio;
  return one;
}

GpuCase convolution(DType type, double most_ms) {
  const te::Tensor a = placeholder({kSize, kSize, kIn, kBatch}, type, "A"),
                   w = placeholder({kKernel, kKernel, kIn, kOut}, type, "W");
  const te::Tensor padded = compute(
      {kSize + 2 * kPad, kSize + 2 * kPad, kIn, kBatch},
      [&](Expr y, Expr x, Expr c, Expr n) {
        const Expr inside = y >= kPad && y < kSize + kPad && x >= kPad && x < kSize + kPad;
        return if_then_else(inside, a(y - kPad, x - kPad, c, n), ir::make_zero(type));
      },
      "padded");
  const ReduceAxis c = reduce_axis(kIn, "c"), ky = reduce_axis(kKernel, "ky"), kx = reduce_axis(kKernel, "kx");
  const te::Tensor sums = compute(
      {kSize, kSize, kOut, kBatch},
      [&](Expr y, Expr x, Expr o, Expr n) {
        return te::sum(cast(kFloat32, w(ky, kx, c, o)) * cast(kFloat32, padded(y + ky, x + kx, c, n)), {c, ky, kx});
      },
      "sums");
  GpuCase one;
  one.name = fmt::format("convolution of {} x {} x {} x {}, {} outputs, {}", kSize, kSize, kIn, kBatch, kOut,
                         vantage::name(type));
  one.function = create_prim_func({w, a, rounded(sums, type)}, "conv2d");
  one.operations = 2.0 * kSize * kSize * kBatch * kOut * kIn * kKernel * kKernel;
  one.most_seconds = most_ms * 1e-3;
  return one;
}

}  // namespace

std::vector<GpuCase> gpu_cases() {
  return {convolution(kFloat32, 2.9),
          convolution(kFloat16, 0.5),
          product(kSide, kFloat32, kFloat32, kFloat32, false, 0.85),
          product(kSide, kFloat16, kFloat32, kFloat16, false, 0.85),
          product(kSide, kFloat16, kFloat32, kFloat16, true, 0.85),
          product(kSide, kBFloat16, kFloat32, kBFloat16, false, 0.85),
          product(kSide, kInt8, kInt32, kInt32, true, 0.75),
          product(kOddSide, kFloat32, kFloat32, kFloat32, false, std::nullopt),
          product(kOddSide, kFloat16, kFloat32, kFloat16, false, std::nullopt)};
}

double expected_element(const GpuCase& one, const std::vector<vantage::Tensor>& operands, int64_t index) {
  const vantage::Tensor &first = operands[0], &second = operands[1];
  double sum = 0;
  if (one.matmul) {
    const int64_t side = one.matmul->n, i = index / side, j = index % side;
    for (int64_t k = 0; k < side; ++k) {
      sum += first.number(i * side + k) * second.number(one.b_transposed ? j * side + k : k * side + j);
    }
    return sum;
  }
  const int64_t n = index % kBatch, o = index / kBatch % kOut, x = index / (kBatch * kOut) % kSize,
                y = index / (kBatch * kOut * kSize);
  for (int64_t ky = 0; ky < kKernel; ++ky) {
    for (int64_t kx = 0; kx < kKernel; ++kx) {
      const int64_t row = y + ky - kPad, column = x + kx - kPad;
      if (row < 0 || row >= kSize || column < 0 || column >= kSize) continue;
      for (int64_t c = 0; c < kIn; ++c) {
        sum += first.number(((ky * kKernel + kx) * kIn + c) * kOut + o) *
               second.number(((row * kSize + column) * kIn + c) * kBatch + n);
      }
    }
  }
  return sum;
}

CompiledCase compiled(const GpuCase& one, const cuda::Architecture& architecture) {
  const auto nvrtc = cuda::Nvrtc::load();
  const ir::PrimFunc scheduled = ops::schedule_for_gpu(one.function, architecture).function();
  CompiledCase result{cuda::compile(scheduled, {.architecture = architecture.name}, *nvrtc), {}};
  const cuda::Module module = cuda::split_kernels(cuda::lower(scheduled));
  const cuda::KernelCode code = cuda::write_kernel(module.kernels.front());
  const cuda::GpuCode binary =
      nvrtc->compile(cuda::write_source({code}), one.function.name, {.architecture = architecture.name});
  const cuda::KernelUse& use = binary.kernels.front();
  GpuKernelFacts& facts = result.facts;
  facts.registers = use.registers;
  facts.spill_bytes = use.spill_load_bytes + use.spill_store_bytes;
  facts.shared_bytes = code.shared_bytes;
  facts.threads = 1;
  for (const uint32_t extent : result.program.launches.front().block) facts.threads *= extent;
  for (const cuda::BankUse& bank : cuda::bank_uses(module.kernels.front(), code.shared_accesses)) {
    facts.most_ways = std::max<int64_t>(facts.most_ways, bank.ways);
  }
  const cuda::PtxLoop loop = cuda::busiest_loops(binary.ptx).front();
  facts.multiplies = loop.multiplies;
  facts.instructions = loop.instructions;
  const cuda::Occupancy occupancy = cuda::occupancy(architecture, {facts.threads, facts.registers, facts.shared_bytes});
  facts.occupancy = fmt::format("{} of {} warps ({})", occupancy.warps, occupancy.most_warps, occupancy.limit);
  return result;
}

}  // namespace vantage::bench
