// The SystemC model beside the Verilated RTL: simulated cycles per second on the same programs, which must take the
// same cycles and leave the same memory; and how its time and memory grow with a program. One core, one thread.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>

#include "base/cache.h"
#include "base/error.h"
#include "base/json.h"
#include "bench/targets.h"
#include "bench/workload.h"
#include "hw/isa/codec.h"
#include "hw/program/assembly.h"
#include "sim/functional/functional_machine.h"
#include "sim/rtl/model_builder.h"
#include "sim/rtl/rtl_machine.h"
#include "sim/systemc/systemc_machine.h"

namespace vantage::bench {
namespace {

using Seconds = std::chrono::duration<double>;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return Seconds(std::chrono::steady_clock::now() - start).count();
}

const isa::Config& config() {
  static const isa::Config kConfig = isa::Config::vta_default();
  return kConfig;
}

std::unique_ptr<sim::Machine> make_rtl() {
  return sim::make_rtl_machine(config(), sim::build_model(config(), {default_cache(), false, {}}), {});
}
std::unique_ptr<sim::Machine> make_systemc() {
  return sim::make_systemc_machine(config(), {});
}

constexpr Bytes kMemory{uint64_t{1} << 25};

// A workload in a memory of its own.
struct Loaded {
  explicit Loaded(const Workload& w) : dram(kMemory), image(w.image) { dram.write(Bytes(0), w.memory); }
  sim::Dram dram;
  sim::ProgramImage image;
};

const ops::Epilogue kLow{.clip_min = -128};
const MatmulShape kReuse{.m = 256, .n = 256, .k = 256};
const MatmulShape kStreaming{.m = 1, .n = 1024, .k = 1024};
// As many multiply-accumulates and cycles as ResNet-18 has
const MatmulShape kLarge{.m = 256, .n = 30208, .k = 256};

// Empty when the machine leaves memory as the functional one does and, beside RTL, takes its cycles.
std::string wrong(const Workload& w, bool beside_rtl) {
  Loaded functional(w), systemc(w);
  sim::make_functional_machine(config())->run(functional.dram, w.image, {});
  const auto got = make_systemc()->run(systemc.dram, w.image, {});
  if (!got.ok()) return got.message;
  if (!std::equal(functional.dram.data(), functional.dram.data() + kMemory.count(), systemc.dram.data())) {
    return "the result differs from the functional machine's";
  }
  if (!beside_rtl) return {};
  Loaded rtl(w);
  const auto expected = make_rtl()->run(rtl.dram, w.image, {});
  if (*expected.cycles != *got.cycles) {
    return fmt::format("{} cycles, the RTL takes {}", got.cycles->count(), expected.cycles->count());
  }
  return {};
}

void cycles_per_second(benchmark::State& state, const MatmulShape& shape, bool is_rtl) {
  const Workload w = make_workload(shape, kLow);
  if (const std::string what = wrong(w, true); !what.empty()) return state.SkipWithError(what.c_str());
  const auto machine = is_rtl ? make_rtl() : make_systemc();
  Loaded loaded(w);
  uint64_t cycles = 0;
  for (auto _ : state) cycles += machine->run(loaded.dram, w.image, {}).cycles->count();
  state.SetItemsProcessed(static_cast<int64_t>(cycles));
}
BENCHMARK_CAPTURE(cycles_per_second, rtl_reuse, kReuse, true)->Name("rtl/reuse");
BENCHMARK_CAPTURE(cycles_per_second, systemc_reuse, kReuse, false)->Name("systemc/reuse");
BENCHMARK_CAPTURE(cycles_per_second, rtl_streaming, kStreaming, true)->Name("rtl/streaming");
BENCHMARK_CAPTURE(cycles_per_second, systemc_streaming, kStreaming, false)->Name("systemc/streaming");

// From nothing to the end of a first, tiny program.
double start_up_seconds() {
  sim::Dram dram{Bytes(4096)};
  isa::store_words(isa::Codec(config()).encode(isa::Finish{}), dram.range(Bytes(0), Bytes(16)).first<16>());
  const auto start = std::chrono::steady_clock::now();
  const auto machine = make_systemc();
  if (!machine->run(dram, {Bytes(0), 1}, {}).ok()) fail("a program of one FINISH fails");
  return seconds_since(start);
}

Target large_program() {
  const Workload w = make_workload(kLarge, kLow);
  if (const std::string what = wrong(w, false); !what.empty()) fail("the large program: {}", what);
  const auto machine = make_systemc();
  Loaded loaded(w);
  const auto start = std::chrono::steady_clock::now();
  const auto result = machine->run(loaded.dram, w.image, {});
  const double seconds = seconds_since(start);
  return {fmt::format("{:.1f} M cycles with {:.2f} G multiply-accumulates",
                      1e-6 * static_cast<double>(result.cycles->count()),
                      256e-9 * static_cast<double>(result.counters.gemm_counter)),
          seconds, 2, false, "s"};
}

// Short instructions of every stage, to be repeated.
std::vector<isa::Insn> short_instructions() {
  return assemble(".config " + config().to_json().dump() +
                      "\n"
                      "load.uop sram=0 dram=0 y=1 x=1 stride=1\n"
                      "load.inp sram=0 dram=64 y=1 x=2 stride=2 push=next\n"
                      "gemm uop=0:1 out=1 in=4 dst=0,1 src=0,0 wgt=0,0 pop=prev push=prev,next\n"
                      "store.out sram=0 dram=4096 y=1 x=4 stride=4 pop=prev push=prev\n"
                      "load.wgt sram=0 dram=64 y=1 x=1 stride=1 pop=next push=next\n"
                      "alu.add uop=0:1 out=1 in=4 dst=0,1 src=0,1 imm=1 pop=prev,next\n",
                  "short instructions")
      .insns;
}

uint64_t largest_resident_kb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss);
}

std::vector<Target> growth() {
  constexpr size_t kLongest = VANTAGE_RESULTS_ONLY ? 100'000 : 1'000'000;
  const auto machine = make_systemc();
  const isa::Codec codec(config());
  sim::Dram dram{kMemory};
  constexpr uint64_t kProgram = 1 << 20;
  const std::vector<isa::Insn> pattern = short_instructions();
  const auto write = [&](size_t count) {
    uint64_t at = kProgram;
    const auto append = [&](const isa::Insn& insn) {
      isa::store_words(codec.encode(insn), dram.range(Bytes(at), Bytes(16)).first<16>());
      at += isa::kInsnBytes;
    };
    for (size_t i = 0; i < count; ++i) append(pattern[i % pattern.size()]);
    // Tokens of a pattern that broke off are left over
    append(isa::Finish{});
    return sim::ProgramImage{Bytes(kProgram), (at - kProgram) / isa::kInsnBytes};
  };
  write(kLongest);  // so that its pages are counted before
  double fastest = 1e9, slowest = 0;
  uint64_t resident = 0;
  std::string each;
  for (size_t count = 1000; count <= kLongest; count *= 10) {
    const sim::ProgramImage image = write(count);
    double best = 1e9;
    for (size_t done = 0; done < kLongest; done += count) {
      const auto start = std::chrono::steady_clock::now();
      const auto result = machine->run(dram, image, {});
      if (!result.ok()) fail("the short instructions: {}", result.message);
      best = std::min(best, seconds_since(start) / static_cast<double>(image.insn_count));
    }
    if (count == 1000) resident = largest_resident_kb();
    fastest = std::min(fastest, best);
    slowest = std::max(slowest, best);
    each += fmt::format("{}{:.0f}", each.empty() ? "" : ", ", 1e9 * best);
  }
  const double grown = static_cast<double>(largest_resident_kb() - resident) / 1024;
  return {{fmt::format("time per instruction, slowest to fastest of 10^3..{} ({} ns)",
                       VANTAGE_RESULTS_ONLY ? "10^5" : "10^6", each),
           slowest / fastest, 1.25, false, "x"},
          {"memory that the longest of these takes more than the shortest", grown, 1, false, "MB"}};
}

}  // namespace
}  // namespace vantage::bench

int main(int argc, char** argv) {
  using namespace vantage::bench;
  const double start_up = start_up_seconds();
  return run_benchmarks(argc, argv, [&](const RateReporter& reporter) {
    const auto ratio = [&](const char* program) {
      return reporter.best(std::string("systemc/") + program) / reporter.best(std::string("rtl/") + program);
    };
    std::vector<Target> targets = {
        {"simulated cycles per second against RTL, GEMM 256x256x256", ratio("reuse"), 250, true, "x"},
        {"the same, GEMM 1x1024x1024", ratio("streaming"), 250, true, "x"},
        {"start-up, with elaboration and a first program", 1e3 * start_up, 20, false, "ms"},
        large_program(),
    };
    for (Target& target : growth()) targets.push_back(std::move(target));
    return targets;
  });
}
