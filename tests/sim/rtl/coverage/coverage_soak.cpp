// Runs programs on models of the RTL that count which of its lines and branches run, over every configuration of the
// tests, and prints for each module how many ran. What never ran and has no reason in unreached.json is printed as
// well, and ends the program with status 1.
//
//   coverage_soak --programs 800 --seed 1
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <random>

#include "base/error.h"
#include "base/file.h"
#include "hw/isa/codec.h"
#include "hw/isa/register_map.h"
#include "hw/rtl/sources.h"
#include "sim/rtl/rtl_core.h"
#include "tests/sim/rtl/coverage/coverage_points.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/differential.h"

using namespace vantage;

namespace {

// The memories that programs take turns with: short and long waits, some that change, and some that take few bursts at
// once, so that addresses wait.
MemoryTiming memory(uint64_t number) {
  constexpr std::array kNames = {"m64", "m1", "ddr3", "narrow", "hbm2"};
  MemoryTiming timing = test::memory_setting(kNames[number % kNames.size()]);
  timing.max_jitter = Cycles(number % 2 * 40);
  timing.jitter_seed = number;
  if (number % 3 == 0) timing.max_reads = timing.max_writes = 1 + number / 3 % 4;
  return timing;
}

// Instructions of a legal program with bits flipped and tokens as they happen to be: refusals, errors of memory,
// deadlocks, programs without an end. Results are other tests' to check.
void run_hostile(const isa::Config& config, const sim::RtlLibrary& library, uint64_t seed) {
  std::mt19937_64 random(seed);
  const isa::Codec codec(config);
  const auto legal = test::with_tokens(test::random_program(config, seed, 60));
  const auto machine = sim::make_rtl_machine(config, library, {memory(seed), {}});
  for (int i = 0; i < 20; ++i) {
    sim::Dram dram{Bytes(1 << 17)};
    const size_t count = 1 + random() % 30;
    for (size_t k = 0; k <= count; ++k) {
      isa::Words words = codec.encode(k == count ? isa::Insn{isa::Finish{}} : legal[random() % legal.size()]);
      if (random() % 8 == 0) words[random() % 2] ^= uint64_t{1} << (random() % 64);
      isa::store_words(words, dram.range(Bytes(16 * k), Bytes(16)).first<16>());
    }
    sim::RunOptions options;
    options.max_steps = 100'000;
    machine->run(dram, {Bytes(0), count + random() % 2}, options);
  }
}

constexpr uint32_t kMemory = 1 << 14;  // bytes; programs use three times as many

// What no program does: registers one after another, written and read in the middle of a run as well, memory that
// answers with errors, runs that are aborted or take too long, a core that is reset by itself.
void run_registers(const isa::Config& config, const sim::RtlLibrary& library, uint64_t seed) {
  std::mt19937_64 random(seed);
  sim::RtlCore core(config, library, {memory(seed), {}});
  sim::Dram dram{Bytes(kMemory)};
  sim::RtlRegisters registers(core, dram);
  const isa::Codec codec(config);
  const auto legal = test::random_program(config, seed, 60).insns;
  for (int round = 0; round < 20; ++round) {
    for (const isa::Register& r : isa::all_registers()) {
      for (uint32_t half = 0; half < static_cast<uint32_t>(r.bits) / 32; ++half) registers.read(r.offset + 4 * half);
    }
    registers.read(0xffc);
    registers.write(0xffc, 1);
    // Few instructions, so that most of them are reached, in memory that ends among what they touch
    const size_t count = 1 + random() % 6;
    for (size_t k = 0; k < count; ++k) {
      isa::store_words(codec.encode(legal[random() % legal.size()]), dram.range(Bytes(16 * k), Bytes(16)).first<16>());
    }
    isa::store_words(codec.encode(isa::Finish{}), dram.range(Bytes(16 * count), Bytes(16)).first<16>());
    const uint32_t address = round % 5 == 4 ? kMemory - 16 : 0;  // runs past the end of memory
    sim::write_register(registers, "INSN_ADDRESS", address);
    sim::write_register(registers, "INSN_COUNT", round % 7 == 6 ? UINT32_MAX : static_cast<uint32_t>(count + 1));
    sim::write_register(registers, "MEMORY_LAST", 0xffffffff);
    sim::write_register(registers, "WATCHDOG", round % 4 == 3 ? 100 : 0);
    sim::write_register(registers, "IRQ_ENABLE", isa::kIrqEnableEnd.mask());
    sim::write_register(registers, "CONTROL", isa::kControlStart.mask());
    const int reset = round % 4 == 2 ? static_cast<int>(random() % 300) : -1;
    for (int i = 0; i < 200'000 && i != reset && !core.interrupt(); ++i) {
      core.cycle(dram);
      if (i == 50) sim::write_register(registers, "CONTROL", isa::kControlStart.mask());  // ignored
      if (i == 55 && round % 4 == 1) sim::write_register(registers, "CONTROL", isa::kControlAbort.mask());
      if (i == 60) sim::read_register(registers, "FREE_CYCLES");
    }
    if (reset >= 0) {
      core.reset_core(dram, 1 + static_cast<unsigned>(random() % 4));
    } else if (!core.interrupt()) {
      core.reset();
    }
    sim::write_register(registers, "STATUS", isa::kStatusDone.mask() | isa::kStatusError.mask());
  }
}

struct Total {
  uint64_t covered = 0, all = 0;
  void add(bool ran) {
    covered += ran;
    ++all;
  }
  std::string text() const {
    return fmt::format("{:>6} of {:>4} {:>6.1f}%", covered, all,
                       100.0 * static_cast<double>(covered) / static_cast<double>(all));
  }
};

// The table, and what is missing. Whether nothing is.
bool report(const test::CoverageCounts& counts, const std::vector<test::Unreached>& unreached) {
  std::map<std::string, std::vector<std::string>> sources;
  for (const EmbeddedFile& source : rtl::sources()) {
    sources[std::filesystem::path(source.name).stem().string()] = test::source_lines(source.text);
  }
  std::map<std::string, std::pair<Total, Total>> modules;  // blocks, sides of branches
  std::pair<Total, Total> total;
  std::string missing;
  std::vector<bool> used(unreached.size());
  uint64_t justified = 0;
  for (const auto& [point, count] : counts) {
    for (auto* t : {&modules[point.module], &total}) (point.kind == "block" ? t->first : t->second).add(count != 0);
    if (count != 0) continue;
    const auto& lines = sources[point.module];
    const auto at = static_cast<size_t>(point.line);
    const std::string text = at >= 1 && at <= lines.size() ? lines[at - 1] : "";
    const auto why = std::find_if(unreached.begin(), unreached.end(), [&](const test::Unreached& u) {
      return u.module == point.module && u.text == text && u.kind == point.kind;
    });
    if (why == unreached.end()) {
      missing += fmt::format("{}.sv:{}: {}: {}\n", point.module, point.line, point.kind, text);
    } else {
      used[static_cast<size_t>(why - unreached.begin())] = true;
      ++justified;
    }
  }
  for (const auto& [module, t] : modules) {
    fmt::print("{:<22}{}{}\n", module, t.first.all ? t.first.text() : std::string(22, ' '),
               t.second.all ? t.second.text() : "");
  }
  fmt::print("{:<22}{}{}   blocks, sides of branches\n", "all", total.first.text(), total.second.text());
  fmt::print("{} never ran for a reason of unreached.json\n", justified);
  for (size_t i = 0; i < unreached.size(); ++i) {
    if (!used[i]) fmt::print("unreached.json: it ran, or is gone: {}: {}\n", unreached[i].module, unreached[i].text);
  }
  if (!missing.empty()) fmt::print("never ran, without a reason:\n{}", missing);
  return missing.empty();
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t programs = 800;
  uint64_t seed = 1;
  std::vector<std::string> only;
  CLI::App app{"coverage of the RTL's lines and branches by random programs"};
  app.add_option("--programs", programs, "how many, of all configurations together")->capture_default_str();
  app.add_option("--seed", seed, "of the first; each program has the next")->capture_default_str();
  app.add_option("--config", only, "of the tests' configurations only these (tests/sim/rtl/rtl_test.h)");
  CLI11_PARSE(app, argc, argv);

  test::CoverageCounts counts;
  const test::TemporaryFolder folder;
  auto configs = test::rtl_configs();
  std::erase_if(configs, [&](const test::NamedConfig& named) {
    return !only.empty() && std::find(only.begin(), only.end(), named.name) == only.end();
  });
  for (const auto& [name, config] : configs) {
    fmt::print(stderr, "{}\n", name);
    const sim::RtlLibrary library = sim::build_model(config, {.cache = default_cache(), .coverage = true});
    const uint64_t share = programs / configs.size();
    for (uint64_t number = seed; number < seed + share; ++number) {
      const auto make = [&](const isa::Config& c) { return sim::make_rtl_machine(c, library, {memory(number), {}}); };
      if (const auto found = test::difference(test::random_program(config, number, 60), make)) {
        fmt::print(stderr, "seed {} on {}: {}\n", number, name, *found);
        return 1;
      }
      if (number % 8 == 0) run_hostile(config, library, number);
      if (number % 16 == 0) run_registers(config, library, number);
    }
    const auto file = folder.path() / (name + ".dat");
    library.write_coverage(file);
    test::add_coverage(read_file(file, Bytes(1 << 26)), file.string(), counts);
  }
  fmt::print("{} programs from seed {} on {} configurations\n", programs, seed, configs.size());
  return report(counts,
                test::load_unreached(test::source_dir() / "tests" / "sim" / "rtl" / "coverage" / "unreached.json"))
             ? 0
             : 1;
}
