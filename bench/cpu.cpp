// What the compiler makes for processors, beside OpenBLAS and oneDNN in the same run, turn by turn, on one thread each;
// then what scheduling gains over plain loops, what compiling takes, and what a second core brings. Operands are small
// whole numbers, so every order of a sum gives the same and all results must be equal before a time counts.
#include <fmt/format.h>

#include <chrono>
#include <random>

#include "base/error.h"
#include "base/tensor/random.h"
#include "bench/targets.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/ops/conv2d/cpu_conv2d.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "driver/baselines/library.h"
#include "driver/processor/resident_tensor.h"
#include "workload/resnet18.h"

namespace vantage::bench {
namespace {

using driver::ResidentTensor;
using ops::CpuConv2d;

double seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The best time of each, turn by turn, so that whatever disturbs the machine disturbs all alike.
std::vector<double> best_of(int rounds, const std::vector<std::function<void()>>& runs) {
  std::vector<double> best(runs.size(), 1e9);
  for (const auto& run : runs) run();
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < runs.size(); ++i) best[i] = std::min(best[i], seconds(runs[i]));
  }
  return best;
}

void require_equal(const ResidentTensor& a, const ResidentTensor& b, const std::string& what) {
  if (a.read() != b.read()) throw InternalError(what + ": the results differ");
}

// Whole numbers from -4 to 4, or any bytes.
Tensor operand(DType dtype, Tensor::Shape shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor tensor(dtype, std::move(shape));
  dtype.is_float() ? fill(tensor, random, -4, 4) : fill(tensor, random);
  return tensor;
}

struct Matmul {
  Matmul(driver::Processor& device, const MatmulShape& s)
      : a(device, operand(s.dtype, {s.m, s.k}, 1)),
        b(device, operand(s.dtype, {s.k, s.n}, 2)),
        c(device, s.result(), {s.m, s.n}) {}
  std::vector<const DLTensor*> tensors() const { return {a.tensor(), b.tensor(), c.tensor()}; }
  ResidentTensor a, b, c;
};

std::unique_ptr<driver::Loaded> compiled(driver::Processor& cpu, const ir::PrimFunc& function, const Matmul& operands) {
  return cpu.load(cpu::jit(function), operands.tensors());
}

MatmulShape square(int64_t size, DType dtype) {
  return {.m = size, .n = size, .k = size, .dtype = dtype};
}

double gops(int64_t operations, double time) {
  return static_cast<double>(operations) / time * 1e-9;
}

// How much faster than a library.
double matmul_ratio(DType dtype, const char* uri) {
  const auto cpu = driver::Processor::open("cpu:", 1);
  const auto library = driver::Library::open(uri, 1);
  const MatmulShape s = square(1024, dtype);
  Matmul ours(*cpu, s), theirs(*library, s);
  const auto run = compiled(*cpu, ops::schedule_cpu_matmul(s, cpu::host_target()).function(), ours);
  const auto peer = library->matmul(s, theirs.tensors());
  const auto best = best_of(40, {[&] { run->run(); }, [&] { peer->run(); }});
  require_equal(ours.c, theirs.c, fmt::format("matmul {}", name(dtype)));
  fmt::print("matmul {} 1024x1024x1024: cpu: {:.2f} ms, {:.1f} useful GOPS; {} {:.2f} ms, {:.1f} useful GOPS\n",
             name(dtype), best[0] * 1e3, gops(s.operations(), best[0]), uri, best[1] * 1e3,
             gops(s.operations(), best[1]));
  return best[1] / best[0];
}

double conv_ratio(DType dtype) {
  const auto cpu = driver::Processor::open("cpu:", 1);
  const auto onednn = driver::Library::open("onednn:", 1);
  const cpu::Target target = cpu::host_target();
  const DType result = dtype == kInt8 ? kInt32 : kFloat32;
  double logarithms = 0;
  for (const auto& layer : workload::resnet18_layers()) {
    const CpuConv2d conv{layer.shape, dtype, {}};
    const auto& s = layer.shape;
    const auto tiling = choose_cpu_conv2d_tiling(conv, target, 1);
    const auto functions = cpu::jit(
        {schedule_cpu_conv2d(conv, tiling, target, 1).function(), schedule_weight_packing(conv, tiling).function()},
        target);
    const ResidentTensor a(*cpu, operand(dtype, {s.batch, s.height, s.width, s.in_channels}, 3));
    const Tensor weights = operand(dtype, {s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, 4);
    const ResidentTensor w(*cpu, weights);
    ResidentTensor packed(*cpu, result, packed_weights_shape(conv, tiling));
    ResidentTensor ours(*cpu, result, {s.batch, s.out_height(), s.out_width(), s.out_channels});
    ResidentTensor theirs(*cpu, result, {s.batch, s.out_height(), s.out_width(), s.out_channels});
    // Weights are packed once, as oneDNN's are.
    cpu->load(functions[1], {w.tensor(), packed.tensor()})->run();
    const auto run = cpu->load(functions[0], {a.tensor(), packed.tensor(), ours.tensor()});
    const auto peer = onednn->conv2d(s, weights, {a.tensor(), theirs.tensor()});
    const auto best = best_of(60, {[&] { run->run(); }, [&] { peer->run(); }});
    require_equal(ours, theirs, layer.name);
    fmt::print("{} {}: cpu: {:.3f} ms, {:.1f} useful GOPS; onednn: {:.3f} ms, {:.1f} useful GOPS; {:.2f}\n", layer.name,
               name(dtype), best[0] * 1e3, gops(s.operations(), best[0]), best[1] * 1e3, gops(s.operations(), best[1]),
               best[1] / best[0]);
    logarithms += std::log(best[1] / best[0]);
  }
  return std::exp(logarithms / static_cast<double>(workload::resnet18_layers().size()));
}

double schedule_gain() {
  const auto cpu = driver::Processor::open("cpu:", 1);
  const MatmulShape s = square(1024, kFloat32);
  Matmul fast(*cpu, s), naive(*cpu, s);
  const auto scheduled = compiled(*cpu, ops::schedule_cpu_matmul(s, cpu::host_target()).function(), fast);
  const auto plain = compiled(*cpu, ops::cpu_matmul(s), naive);
  const double naive_time = best_of(2, {[&] { plain->run(); }})[0];
  const auto best = best_of(10, {[&] { scheduled->run(); }});
  require_equal(fast.c, naive.c, "naive matmul");
  fmt::print("matmul float32 1024x1024x1024: plain loops {:.0f} ms, scheduled {:.2f} ms\n", naive_time * 1e3,
             best[0] * 1e3);
  return naive_time / best[0];
}

// Scheduling, lowering, code and linking; the median of several, the first of which also starts LLVM.
double compile_milliseconds() {
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    const auto compile = [] {
      const cpu::Target target = cpu::host_target();
      cpu::jit(ops::schedule_cpu_matmul(square(1024, kFloat32), target).function(), target);
    };
    times.push_back(seconds(compile) * 1e3);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double two_cores_gain() {
  const auto one = driver::Processor::open("cpu:", 1), two = driver::Processor::open("cpu:", 2);
  const MatmulShape s = square(2048, kFloat32);
  Matmul alone(*one, s), shared(*two, s);
  const cpu::Target target = cpu::host_target();
  const auto single = compiled(*one, ops::schedule_cpu_matmul(s, target, 1).function(), alone);
  const auto both = compiled(*two, ops::schedule_cpu_matmul(s, target, 2).function(), shared);
  const auto best = best_of(12, {[&] { single->run(); }, [&] { both->run(); }});
  require_equal(alone.c, shared.c, "matmul on two cores");
  fmt::print("matmul float32 2048x2048x2048: one core {:.1f} ms, two {:.1f} ms\n", best[0] * 1e3, best[1] * 1e3);
  return best[0] / best[1];
}

}  // namespace
}  // namespace vantage::bench

int main() {
  using namespace vantage;
  using namespace vantage::bench;
  try {
    const cpu::Target host = cpu::host_target();
    fmt::print("{}, vectors of {} bytes\n", host.cpu, host.vector_bytes);
    // First, while no library has threads of its own.
    const double compile = compile_milliseconds();
    std::vector<Target> targets = {
        {"float32 matmul 1024: against OpenBLAS, one core", matmul_ratio(kFloat32, "openblas:"), 1.0, true, "x"},
        {"float32 C2 to C11: against oneDNN, one core, geometric mean", conv_ratio(kFloat32), 0.9, true, "x"},
        {"float32 matmul 1024: scheduled over plain loops", schedule_gain(), 60, true, "x"},
        {"compiling a matmul", compile, 100, false, "ms"},
    };
    if (driver::Library::open("onednn:", 1)->has(kInt8)) {
      targets.push_back({"int8 matmul 1024: against oneDNN, one core", matmul_ratio(kInt8, "onednn:"), 0.9, true, "x"});
    } else {
      fmt::print("skipped: oneDNN's products of bytes are not exact on this processor\n");
    }
    if (native::Workers().threads() >= 2) {
      targets.push_back({"float32 matmul 2048: two cores over one", two_cores_gain(), 1.8, true, "x"});
    } else {
      fmt::print("skipped: there is no second core\n");
    }
    return report(targets);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
