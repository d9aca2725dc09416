// What the compiler makes for processors, beside OpenBLAS and oneDNN in the same run, turn by turn, on one thread each;
// then what scheduling gains over plain loops, what compiling takes, and what a second core brings. Operands are small
// whole numbers, so every order of a sum gives the same and all results must be equal before a time counts.
#include <fmt/format.h>

#include <chrono>
#include <random>

#include "base/error.h"
#include "bench/targets.h"
#include "cli/compare/measure.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/ops/conv2d/cpu_conv2d.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "compiler/ops/resnet18.h"
#include "driver/baselines/library.h"

namespace vantage::bench {
namespace {

using driver::ResidentTensor;
using ir::DType;
using ops::CpuConv2d;
using ops::MatmulShape;

constexpr DLDataType kSingle{kDLFloat, 32, 1};
constexpr DLDataType kByte{kDLInt, 8, 1};
constexpr DLDataType kWord{kDLInt, 32, 1};

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

std::vector<std::byte> contents(ResidentTensor& tensor) {
  std::vector<std::byte> bytes(tensor.buffer().size().count());
  tensor.buffer().read(bytes);
  return bytes;
}

void require_equal(ResidentTensor& a, ResidentTensor& b, const std::string& what) {
  if (contents(a) != contents(b)) throw InternalError(what + ": the results differ");
}

// Whole numbers from -4 to 4, or any bytes.
void fill(ResidentTensor& tensor, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(tensor.buffer().size().count());
  if (tensor.tensor()->dtype.code == kDLFloat) {
    for (size_t i = 0; i < bytes.size(); i += 4) {
      const auto value = static_cast<float>(static_cast<int>(random() % 9) - 4);
      std::memcpy(&bytes[i], &value, 4);
    }
  } else {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  }
  tensor.buffer().write(bytes);
}

struct Matmul {
  Matmul(driver::Processor& device, const MatmulShape& s)
      : a(device, s.dtype == ir::kInt8 ? kByte : kSingle, {s.m, s.k}),
        b(device, s.dtype == ir::kInt8 ? kByte : kSingle, {s.k, s.n}),
        c(device, s.dtype == ir::kInt8 ? kWord : kSingle, {s.m, s.n}) {
    fill(a, 1);
    fill(b, 2);
  }
  std::vector<const DLTensor*> tensors() const { return {a.tensor(), b.tensor(), c.tensor()}; }
  ResidentTensor a, b, c;
};

driver::Kernel compiled(driver::Processor& cpu, const ir::PrimFunc& function) {
  return cpu.load(cpu::jit(function));
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
  const auto run = compiled(*cpu, schedule_matmul(s, cpu::host_target()).function());
  const auto peer = library->matmul({.m = s.m, .n = s.n, .k = s.k, .dtype = ours.a.tensor()->dtype});
  const auto best = best_of(40, {[&] { run(ours.tensors()); }, [&] { peer(theirs.tensors()); }});
  require_equal(ours.c, theirs.c, fmt::format("matmul {}", ir::name(dtype)));
  fmt::print("matmul {} 1024x1024x1024: cpu: {:.2f} ms, {:.1f} GOPS; {} {:.2f} ms, {:.1f} GOPS\n", ir::name(dtype),
             best[0] * 1e3, gops(s.operations(), best[0]), uri, best[1] * 1e3, gops(s.operations(), best[1]));
  return best[1] / best[0];
}

double conv_ratio(DType dtype) {
  const auto cpu = driver::Processor::open("cpu:", 1);
  const auto onednn = driver::Library::open("onednn:", 1);
  const cpu::Target target = cpu::host_target();
  const DLDataType operand = dtype == ir::kInt8 ? kByte : kSingle, result = dtype == ir::kInt8 ? kWord : kSingle;
  double logarithms = 0;
  for (const auto& layer : ops::resnet18_layers()) {
    const CpuConv2d conv{layer.shape, dtype, {}};
    const auto& s = layer.shape;
    const auto tiling = choose_cpu_conv2d_tiling(conv, target, 1);
    const auto functions = cpu::jit(
        {schedule_cpu_conv2d(conv, tiling, target, 1).function(), schedule_weight_packing(conv, tiling).function()},
        target);
    ResidentTensor a(*cpu, operand, {s.batch, s.height, s.width, s.in_channels});
    ResidentTensor w(*cpu, operand, {s.out_channels, s.in_channels, s.kernel_h, s.kernel_w});
    ResidentTensor packed(*cpu, result, packed_weights_shape(conv, tiling));
    ResidentTensor ours(*cpu, result, {s.batch, s.out_height(), s.out_width(), s.out_channels});
    ResidentTensor theirs(*cpu, result, {s.batch, s.out_height(), s.out_width(), s.out_channels});
    fill(a, 3);
    fill(w, 4);
    // Weights are packed once, as oneDNN's are.
    cpu->load(functions[1])({w.tensor(), packed.tensor()});
    const auto run = cpu->load(functions[0]);
    const auto peer = onednn->conv2d(cli::conv_problem(s, operand), *w.tensor());
    const auto best = best_of(60, {[&] {
                                     run({a.tensor(), packed.tensor(), ours.tensor()});
                                   },
                                   [&] {
                                     peer({a.tensor(), theirs.tensor()});
                                   }});
    require_equal(ours, theirs, layer.name);
    fmt::print("{} {}: cpu: {:.3f} ms, {:.1f} GOPS; onednn: {:.3f} ms, {:.1f} GOPS; {:.2f}\n", layer.name,
               ir::name(dtype), best[0] * 1e3, gops(s.operations(), best[0]), best[1] * 1e3,
               gops(s.operations(), best[1]), best[1] / best[0]);
    logarithms += std::log(best[1] / best[0]);
  }
  return std::exp(logarithms / static_cast<double>(ops::resnet18_layers().size()));
}

double schedule_gain() {
  const auto cpu = driver::Processor::open("cpu:", 1);
  const MatmulShape s = square(1024, ir::kFloat32);
  Matmul fast(*cpu, s), naive(*cpu, s);
  const auto scheduled = compiled(*cpu, schedule_matmul(s, cpu::host_target()).function());
  const auto plain = compiled(*cpu, define_matmul(s));
  const double naive_time = best_of(2, {[&] { plain(naive.tensors()); }})[0];
  const auto best = best_of(10, {[&] { scheduled(fast.tensors()); }});
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
      cpu::jit(schedule_matmul(square(1024, ir::kFloat32), target).function(), target);
    };
    times.push_back(seconds(compile) * 1e3);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double two_cores_gain() {
  const auto one = driver::Processor::open("cpu:", 1), two = driver::Processor::open("cpu:", 2);
  const MatmulShape s = square(2048, ir::kFloat32);
  Matmul alone(*one, s), shared(*two, s);
  const cpu::Target target = cpu::host_target();
  const auto single = compiled(*one, schedule_matmul(s, target, 1).function());
  const auto both = compiled(*two, schedule_matmul(s, target, 2).function());
  const auto best = best_of(12, {[&] { single(alone.tensors()); }, [&] { both(shared.tensors()); }});
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
        {"float32 matmul 1024: against OpenBLAS, one core", matmul_ratio(ir::kFloat32, "openblas:"), 1.0, true, "x"},
        {"int8 matmul 1024: against oneDNN, one core", matmul_ratio(ir::kInt8, "onednn:"), 0.9, true, "x"},
        {"float32 C2 to C11: against oneDNN, one core, geometric mean", conv_ratio(ir::kFloat32), 0.9, true, "x"},
        {"float32 matmul 1024: scheduled over plain loops", schedule_gain(), 60, true, "x"},
        {"compiling a matmul", compile, 100, false, "ms"},
    };
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
