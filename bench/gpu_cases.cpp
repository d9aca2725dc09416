#include "bench/gpu_cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "bench/gpu_compiler.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/program.h"
#include "compiler/backend/cuda/ptx_loops.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "compiler/te/te.h"

namespace vantage::bench {

using te::compute;
using te::create_prim_func;
using te::Expr;
using te::placeholder;
using te::reduce_axis;
using te::ReduceAxis;
using workload::ImagesInnermost;

namespace {

// The sides of products: of whole tiles, and such that no tile divides them.
struct Sizes {
  int64_t side, odd_side;
  ImagesInnermost convolution;
};
// The convolution is the tutorials' layer (docs/tutorials/gpu_conv2d.md).
constexpr Sizes kAll = {4096, 1000, {14, 256, 512, 256, 3}}, kSmall = {64, 40, {2, 16, 64, 64, 3}};

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

GpuCase convolution(const ImagesInnermost& c, DType type, double most_ms) {
  GpuCase one;
  one.name = fmt::format("convolution of {0} x {0} x {1} x {2}, {3} outputs, {4}", c.size, c.channels, c.batch,
                         c.outputs, vantage::name(type));
  one.function = workload::conv2d(c, type, type, "conv2d");
  one.operations = static_cast<double>(c.operations());
  one.convolution = c;
  one.most_seconds = most_ms * 1e-3;
  return one;
}

}  // namespace

std::vector<GpuCase> gpu_cases(bool small) {
  const Sizes& sizes = small ? kSmall : kAll;
  return {convolution(sizes.convolution, kFloat32, 2.9),
          convolution(sizes.convolution, kFloat16, 0.5),
          product(sizes.side, kFloat32, kFloat32, kFloat32, false, 0.85),
          product(sizes.side, kFloat16, kFloat32, kFloat16, false, 0.85),
          product(sizes.side, kFloat16, kFloat32, kFloat16, true, 0.85),
          product(sizes.side, kBFloat16, kFloat32, kBFloat16, false, 0.85),
          product(sizes.side, kInt8, kInt32, kInt32, true, 0.75),
          product(sizes.side, kInt8, kInt32, kInt32, false, 0.75),
          product(sizes.odd_side, kFloat32, kFloat32, kFloat32, false, std::nullopt),
          product(sizes.odd_side, kFloat16, kFloat32, kFloat16, false, std::nullopt)};
}

double expected_element(const GpuCase& one, const std::vector<vantage::Tensor>& operands, int64_t element) {
  if (one.convolution) return workload::conv2d_element(*one.convolution, operands[0], operands[1], element);
  const int64_t side = one.matmul->n, i = element / side, j = element % side;
  double sum = 0;
  for (int64_t k = 0; k < side; ++k) {
    sum += operands[0].number(i * side + k) * operands[1].number(one.b_transposed ? j * side + k : k * side + j);
  }
  return sum;
}

CompiledCase compiled(const GpuCase& one, const cuda::Architecture& architecture) {
  const auto nvrtc = gpu_compiler();
  const ir::PrimFunc scheduled = ops::schedule_for_gpu(one.function, architecture).function();
  CompiledCase result{cuda::compile(scheduled, {.architecture = architecture.name}, *nvrtc), {}};
  const cuda::Module module = cuda::split_kernels(cuda::lower(scheduled));
  std::vector<cuda::KernelCode> codes;
  for (const cuda::Kernel& kernel : module.kernels) codes.push_back(cuda::write_kernel(kernel));
  const cuda::GpuCode binary =
      nvrtc->compile(cuda::write_source(codes), one.function.name, {.architecture = architecture.name});
  const std::vector<cuda::PtxLoop> loops = cuda::busiest_loops(binary.ptx);
  const auto most = std::ranges::max_element(loops, {}, &cuda::PtxLoop::products);
  const auto number = static_cast<size_t>(most - loops.begin());
  const cuda::KernelUse& use = *std::ranges::find(binary.kernels, most->kernel, &cuda::KernelUse::name);
  GpuKernelFacts& facts = result.facts;
  facts.loop = *most;
  facts.registers = use.registers;
  facts.shared_bytes = codes[number].shared_bytes;
  facts.threads = 1;
  for (const native::GpuLaunch& launch : result.program.launches) {
    if (result.program.kernels[launch.kernel].name != most->kernel) continue;
    for (const uint32_t extent : launch.block) facts.threads *= extent;
    break;
  }
  for (size_t i = 0; i < codes.size(); ++i) {
    facts.spill_bytes += binary.kernels[i].spill_load_bytes + binary.kernels[i].spill_store_bytes;
    facts.banks.add(module.kernels[i], codes[i]);
  }
  const cuda::Occupancy occupancy = cuda::occupancy(architecture, {facts.threads, facts.registers, facts.shared_bytes});
  facts.occupancy = fmt::format("{} of {} warps ({})", occupancy.warps, occupancy.most_warps, occupancy.limit);
  return result;
}

}  // namespace vantage::bench
