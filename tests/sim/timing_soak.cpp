// Random legal programs on the RTL and on the SystemC model: both must agree with the oracle over all of memory and all
// counters, and with each other in every cycle that they report. Configurations and memory settings take turns. A
// failure is shrunk and saved as a bundle.
//
// A share of the programs meets a memory that stalls every AXI channel at random (sim/rtl/back_pressure.h): on the RTL
// alone, as the SystemC model knows no such memory. The port is held to the rules of AXI4 in all of them.
//
//   timing_soak --programs 100000 --seed 1
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <map>
#include <random>

#include "base/error.h"
#include "base/settings.h"
#include "sim/systemc/systemc_machine.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/differential.h"
#include "tests/support/effort.h"

using namespace vantage;

namespace {

// A rule of AXI4 that is broken is a difference like any other.
std::optional<std::string> checked(const std::function<std::optional<std::string>()>& check) {
  try {
    return check();
  } catch (const InternalError& error) {
    return error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t programs = test::seeds(800);
  uint64_t seed = 1;
  size_t insns = 60;
  unsigned back_pressure = 25;
  CLI::App app{"random programs: the RTL and the SystemC model against the oracle and each other"};
  app.add_option("--programs", programs, "how many")->capture_default_str();
  app.add_option("--seed", seed, "of the first; each program has the next")->capture_default_str();
  app.add_option("--insns", insns, "instructions of each, FINISH not counted")->capture_default_str();
  app.add_option("--back-pressure", back_pressure, "per cent of the programs that meet a memory that stalls at random")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  struct Setup {
    test::NamedConfig named;
    sim::RtlLibrary library;
    uint64_t programs = 0;
  };
  std::vector<Setup> setups;
  for (auto& named : test::rtl_configs()) setups.push_back({named, test::rtl_library(named.config)});
  std::vector<MemoryTiming> memories;
  for (const std::string& name : settings_in(test::source_dir() / "configs" / "memory")) {
    memories.push_back(test::memory_setting(name));
  }
  memories.push_back(test::memory_setting("m1"));
  memories.back().name = "jitter";
  memories.back().max_jitter = Cycles(40);

  uint64_t stalled = 0;
  const bool on_terminal = isatty(STDERR_FILENO) != 0;
  for (uint64_t i = 0; i < programs; ++i) {
    const uint64_t number = seed + i;
    Setup& setup = setups[number % setups.size()];
    sim::RtlOptions options{memories[number / setups.size() % memories.size()], {}};
    options.memory.jitter_seed = number;
    if (std::mt19937_64(number)() % 100 < back_pressure) {
      options.back_pressure = number;
      ++stalled;
    }
    const auto rtl = [&](const isa::Config& config) { return sim::make_rtl_machine(config, setup.library, options); };
    const auto systemc = [&](const isa::Config& config) {
      return sim::make_systemc_machine(config, {options.memory, {}, {}});
    };
    const auto failure = test::check_program(
        test::random_program(setup.named.config, number, insns),
        [&](const test::RandomProgram& program) {
          return checked([&] {
            return options.back_pressure ? test::difference(program, rtl)
                                         : test::time_difference(program, rtl, systemc);
          });
        },
        fmt::format("timing_{}_{}", setup.named.name, number));
    if (failure) {
      fmt::print(stderr, "seed {} on {} with memory {}{}: {}\n", number, setup.named.name, options.memory.name,
                 options.back_pressure ? " and back-pressure" : "", *failure);
      return 1;
    }
    ++setup.programs;
    if (on_terminal && i % 100 == 0) fmt::print(stderr, "\r{} of {} programs", i, programs);
  }
  if (on_terminal) fmt::print(stderr, "\r\x1b[K");
  for (const Setup& setup : setups) fmt::print("{:>18} {:>8} programs\n", setup.named.name, setup.programs);
  fmt::print(
      "{} programs of {} instructions from seed {}: results equal the oracle's, no rule of AXI4 broken; {} met "
      "back-pressure, in the others cycles of RTL and SystemC are equal\n",
      programs, insns, seed, stalled);
  return 0;
}
