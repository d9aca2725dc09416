// The Verilated core: simulated cycles per second, and cycles on recorded programs beside those of the published Chisel
// VTA of the same size with the same memory. One core, one thread.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "base/cache.h"
#include "base/error.h"
#include "bench/targets.h"
#include "bench/workload.h"
#include "driver/open/open.h"
#include "driver/runtime/replay.h"
#include "sim/functional/functional_machine.h"
#include "sim/rtl/model_builder.h"
#include "sim/rtl/rtl_machine.h"

namespace vantage::bench {
namespace {

// Cycles of the Chisel VTA 1x16_i8w8a32_15_15_18_17, Verilated, on these programs; every result was checked.
struct Published {
  const char* bundle;
  uint64_t m1, m64;
};
constexpr Published kChisel[] = {
    {"tut.get_started", 1410, 2166},       {"tut.matmul", 8952, 11259},
    {"tut.matmul_opt", 137038, 143454},    {"tut.conv_opt", 480177, 678284},
    {"insn.test_gemm.0", 370, 1000},       {"insn.test_alu.0", 826, 1519},
    {"insn.test_padded_load.0", 277, 713}, {"conv.C2", 543952, 632475},
    {"conv.C5", 498927, 543503},           {"conv.C10", 39972, 55284},
};

std::unique_ptr<sim::Machine> make_rtl() {
  const auto config = isa::Config::vta_default();
  return sim::make_rtl_machine(config, sim::build_model(config, {default_cache(), false, {}}), {});
}

void rtl(benchmark::State& state) {
  const Workload w = make_workload({.m = 256, .n = 256, .k = 256}, {.clip_min = -128});
  const auto memory_after = [&](sim::Machine& machine, sim::RunResult& result) {
    sim::Dram dram{Bytes(uint64_t{1} << 24)};
    dram.write(Bytes(0), w.memory);
    result = machine.run(dram, w.image, {});
    return std::vector<std::byte>(dram.data(), dram.data() + dram.size().count());
  };
  const auto machine = make_rtl();
  sim::RunResult got, expected;
  const auto memory = memory_after(*machine, got);
  if (!got.ok() || memory != memory_after(*sim::make_functional_machine(isa::Config::vta_default()), expected) ||
      !(got.counters == expected.counters)) {
    state.SkipWithError("the core's result differs from the functional machine's");
    return;
  }
  sim::Dram dram{Bytes(uint64_t{1} << 24)};
  dram.write(Bytes(0), w.memory);
  for (auto _ : state) benchmark::DoNotOptimize(machine->run(dram, w.image, {}));
  state.SetItemsProcessed(static_cast<int64_t>(got.cycles->count()) * state.iterations());
}
BENCHMARK(rtl);

// Replays the recorded programs, where there are any, and compares cycles.
std::vector<Target> against_chisel(const std::filesystem::path& bundles) {
  std::vector<Target> targets;
  if (!std::filesystem::exists(bundles)) {
    fmt::print("skipped: there are no recorded programs in {}\n", bundles.string());
    return targets;
  }
  for (const Published& published : kChisel) {
    const Bundle bundle = load_bundle(bundles / published.bundle);
    for (const auto& [latency, cycles] : {std::pair{uint64_t{1}, published.m1}, {uint64_t{64}, published.m64}}) {
      driver::AcceleratorOptions options;
      options.memory.emplace();
      options.memory->read_latency = options.memory->write_latency = Cycles(latency);
      const auto device = driver::open_accelerator("rtl:", bundle.config, options);
      const auto result = driver::replay(*device, bundle);
      if (!result.ok()) fail("{}: {}", published.bundle, *result.mismatch);
      const double ratio = static_cast<double>(result.run.cycles->count()) / static_cast<double>(cycles);
      targets.push_back({fmt::format("{} at M{}: {} cycles, the Chisel VTA {}", published.bundle, latency,
                                     result.run.cycles->count(), cycles),
                         ratio, 0.9999, false, "x"});
    }
  }
  return targets;
}

}  // namespace
}  // namespace vantage::bench

int main(int argc, char** argv) {
  using namespace vantage::bench;
  return run_benchmarks(argc, argv, [](const RateReporter& reporter) {
    std::vector<Target> targets = {
        {"simulated clock of the RTL, blocked GEMM 256x256x256", reporter.best("rtl") / 1e6, 1, true, "MHz"}};
    for (Target& target : against_chisel(VANTAGE_BUNDLES)) targets.push_back(std::move(target));
    return targets;
  });
}
