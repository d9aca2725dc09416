// GEMM steps per second of the functional machine on the default configuration, beside a scalar interpreter of the same
// program and the processor's int8 dot-product peak. One core.
#include <benchmark/benchmark.h>

#include <cstring>

#include "bench/dot_product_peak.h"
#include "bench/targets.h"
#include "bench/workload.h"
#include "sim/functional/functional_machine.h"
#include "tests/oracle/scalar_interpreter.h"

namespace vantage::bench {
namespace {

// Weights stay in their scratchpad for many rows: what a convolution or a batch does.
const Workload& reuse() {
  static const Workload w = make_workload({.m = 256, .n = 256, .k = 256}, {.clip_min = -128});
  return w;
}
// Every weight is used once: what a single vector through a dense layer does. The loads count.
const Workload& streaming() {
  static const Workload w = make_workload({.m = 1, .n = 1024, .k = 1024}, {.clip_min = -128});
  return w;
}

// The machine's results must be the interpreter's before any time counts.
bool results_agree(const Workload& w) {
  std::vector<std::byte> expected = w.memory;
  oracle::ScalarInterpreter oracle(w.program.config);
  if (!oracle.run(expected, w.image.insn_address.count(), w.image.insn_count)) return false;
  sim::Dram dram{Bytes(uint64_t{1} << 24)};
  dram.write(Bytes(0), w.memory);
  const auto machine = sim::make_functional_machine(w.program.config);
  if (!machine->run(dram, w.image, {}).ok()) return false;
  return std::memcmp(dram.data(), expected.data(), expected.size()) == 0;
}

void functional(benchmark::State& state, const Workload& w) {
  if (!results_agree(w)) {
    state.SkipWithError("the machine's result differs from the interpreter's");
    return;
  }
  sim::Dram dram{Bytes(uint64_t{1} << 24)};
  dram.write(Bytes(0), w.memory);
  const auto machine = sim::make_functional_machine(w.program.config);
  for (auto _ : state) benchmark::DoNotOptimize(machine->run(dram, w.image, {}));
  state.SetItemsProcessed(static_cast<int64_t>(w.gemm_steps) * state.iterations());
}

void scalar(benchmark::State& state, const Workload& w) {
  std::vector<std::byte> memory = w.memory;
  oracle::ScalarInterpreter oracle(w.program.config);
  for (auto _ : state) {
    benchmark::DoNotOptimize(oracle.run(memory, w.image.insn_address.count(), w.image.insn_count));
  }
  state.SetItemsProcessed(static_cast<int64_t>(w.gemm_steps) * state.iterations());
}

// Items are GEMM steps' worth of multiply-accumulates.
void peak(benchmark::State& state) {
  int32_t sink = 1;
  uint64_t macs = 0;
  for (auto _ : state) macs += run_dot_products(10000, sink);
  benchmark::DoNotOptimize(sink);
  state.SetItemsProcessed(static_cast<int64_t>(macs / 256));
}

BENCHMARK_CAPTURE(functional, reuse, reuse());
BENCHMARK_CAPTURE(functional, streaming, streaming());
BENCHMARK_CAPTURE(scalar, reuse, reuse());
BENCHMARK_CAPTURE(scalar, streaming, streaming());
BENCHMARK(peak);

}  // namespace
}  // namespace vantage::bench

int main(int argc, char** argv) {
  using namespace vantage::bench;
  return run_benchmarks(argc, argv, [](const RateReporter& reporter) -> std::vector<Target> {
    const double rate = reporter.best("functional/reuse");
    return {
        {"GEMM steps against the scalar interpreter", rate / reporter.best("scalar/reuse"), 20, true, "x"},
        {"the same, every weight loaded for one use",
         reporter.best("functional/streaming") / reporter.best("scalar/streaming"), 20, true, "x"},
        {std::string("GEMM steps against the dot-product peak (") + dot_product_kind() + ")",
         100 * rate / reporter.best("peak"), 25, true, "%"},
    };
  });
}
