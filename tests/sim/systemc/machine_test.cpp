// The SystemC model behind the Machine interface: one kernel, many machines.
#include <set>
#include <thread>

#include "base/json.h"
#include "hw/program/bundle.h"
#include "sim/functional/functional_machine.h"
#include "tests/fuzz/hostile_program.h"
#include "tests/sim/systemc/both_machines.h"
#include "tests/support/effort.h"
#include "tests/support/random_memory.h"

namespace vantage::test::sim_systemc_machine_test {

using namespace vantage;
using sim::RunStatus;
using test::random_memory;
using test::systemc_machine;
using test::TextMachine;

namespace {

const std::string kStoreFive =
    "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=5 push=next\n"
    "store.out sram=0 dram=4096 y=1 x=1 stride=1 pop=prev push=prev";

// A random program of which a few bits are other than they were.
test::DramImage flipped_image(const isa::Config& config, uint64_t seed, std::mt19937_64& random) {
  auto image = test::image_of(test::random_program(config, seed, 60));
  const auto program = std::span(image.bytes).subspan(test::RandomProgram::kInsnAddress, image.insn_count * 16);
  for (uint64_t flips = 1 + random() % 3; flips > 0; --flips) {
    program[random() % program.size()] ^= static_cast<std::byte>(1u << (random() % 8));
  }
  return image;
}

}  // namespace

TEST_CASE("scratchpads keep their contents between runs until a reset", "[unit]") {
  TextMachine m(systemc_machine(isa::Config::vta_default()));
  REQUIRE(m.run(kStoreFive).ok());
  CHECK(m.peek(65536) == 5);
  REQUIRE(m.run(kStoreFive).ok());
  CHECK(m.peek(65536) == 10);
  m.machine().reset();
  REQUIRE(m.run(kStoreFive).ok());
  CHECK(m.peek(65536) == 5);
}

TEST_CASE("machines of different configurations and memories take turns without a trace of each other", "[unit]") {
  TextMachine a(systemc_machine(isa::Config::vta_default(), "ddr3"));
  TextMachine b(systemc_machine(test::shipped_config("batch2"), "m1"));
  const auto first = a.run(kStoreFive).cycles;
  const auto second = b.run(kStoreFive).cycles;
  CHECK(first != second);
  for (int i = 0; i < 3; ++i) {
    CHECK(a.run(kStoreFive).cycles == first);
    CHECK(b.run(kStoreFive).cycles == second);
  }
  CHECK(b.peek(4096 * 32) == 4 * 5);
}

TEST_CASE("what fails leaves the machine ready for the next program", "[unit]") {
  TextMachine m(systemc_machine(isa::Config::vta_default()));
  const auto cycles = m.run(kStoreFive).cycles;
  CHECK(m.run("load.inp sram=0 dram=0 y=1 x=1 stride=1 pop=next").status == RunStatus::kDeadlock);
  CHECK(m.run(kStoreFive).cycles == cycles);
  CHECK(m.run("load.acc sram=2048 dram=0 y=1 x=1 stride=1").status == RunStatus::kRefused);
  CHECK(m.run(kStoreFive).cycles == cycles);
  sim::RunOptions options;
  options.max_steps = 100;
  const auto limited = m.run("alu.add uop=0:1 out=11 in=10 dst=0,0 src=0,0 imm=1", options);
  CHECK(limited.status == RunStatus::kStepLimit);
  CHECK_THAT(limited.message, ContainsSubstring("the run would exceed its limit of 100 steps"));
  CHECK(m.run(kStoreFive).cycles == cycles);
  options = {};
  options.progress = [](uint64_t, uint64_t) { throw Error("enough"); };
  CHECK(ERROR_OF(m.run(kStoreFive, options)) == "enough");
  CHECK(m.run(kStoreFive).cycles == cycles);
}

TEST_CASE("a run is stopped in the middle of an instruction that would take years", "[unit]") {
  TextMachine m(systemc_machine(isa::Config::vta_default()));
  const std::string nothing = "load.acc sram=0 dram=0 y=0 x=0 stride=0\n";
  for (const std::string& endless : {std::string("gemm uop=0:8191 out=16383 in=16383 dst=0,0 src=0,0 wgt=0,0"),
                                     std::string("gemm.reset uop=0:8191 out=16383 in=16383 dst=0,0 src=0,0 wgt=0,0"),
                                     std::string("alu.add uop=0:8191 out=16383 in=16383 dst=0,0 src=0,0 imm=1")}) {
    const auto result = m.run_stopped(nothing + endless);
    CHECK(result.status == RunStatus::kStopped);
    CHECK_THAT(result.message, ContainsSubstring("instruction 1: ") && ContainsSubstring(": the run was stopped"));
    CHECK(m.run(nothing).ok());
  }
}

TEST_CASE("nothing may happen for as long as an instruction's steps or the watchdog take", "[unit]") {
  TextMachine m(systemc_machine(isa::Config::vta_default()));
  const auto nest = m.run("gemm.reset uop=0:1 out=4500 in=4500 dst=0,0 src=0,0 wgt=0,0");
  CHECK(nest.ok());
  CHECK(nest.cycles->count() > uint64_t{4500} * 4500);
  sim::RunOptions options;
  options.max_cycles = 30'000'000;
  CHECK(m.run("load.acc sram=0 dram=0 y=1 x=1 stride=1 pop=prev", options).status == RunStatus::kDeadlock);
}

TEST_CASE("a deadlock is reported as the other machines do", "[unit]") {
  TextMachine m(systemc_machine(isa::Config::vta_default()));
  TextMachine functional;
  for (const std::string lines : {"load.acc sram=0 dram=0 y=1 x=1 stride=1 pop=prev",
                                  "load.inp sram=0 dram=0 y=1 x=1 stride=1 pop=next push=next\n"
                                  "load.acc sram=0 dram=0 y=1 x=1 stride=1 pop=prev push=prev\n"
                                  "store.out sram=0 dram=0 y=1 x=1 stride=1 pop=prev"}) {
    const auto result = m.run(lines);
    CHECK(result.message == functional.run(lines).message);
    // FINISH was dispatched, and nothing moves from then on
    REQUIRE(result.failed_at);
    CHECK(result.failed_at->count() < result.cycles->count());
    CHECK_THAT(failure(result), ContainsSubstring(fmt::format("deadlock in cycle {}: ", result.failed_at->count())));
  }
  CHECK(m.run("load.inp sram=0 dram=0 y=1 x=1 stride=1 push=next").warnings ==
        functional.run("load.inp sram=0 dram=0 y=1 x=1 stride=1 push=next").warnings);
}

TEST_CASE("machines serve callers from many threads", "[unit]") {
  const std::vector<std::string> configs = {"default", "batch2", "8x8", "int4"};
  const std::vector<std::string> memories = {"m1", "m64", "narrow", "ddr3"};
  const auto run = [&](size_t i) {
    TextMachine m(systemc_machine(test::shipped_config(configs[i % 4]), memories[i / 4 % 4]));
    uint64_t sum = 0;
    for (int k = 0; k < 20; ++k) sum += m.run(kStoreFive).cycles->count();
    return sum;
  };
  std::vector<uint64_t> alone(16), together(16);
  for (size_t i = 0; i < alone.size(); ++i) alone[i] = run(i);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < together.size(); ++i) threads.emplace_back([&, i] { together[i] = run(i); });
  for (std::thread& thread : threads) thread.join();
  CHECK(together == alone);
}

TEST_CASE("with any memory setting the SystemC model takes the RTL's cycles", "[property]") {
  const auto configs = test::rtl_configs();
  for (uint64_t seed = 0; seed < test::seeds(80); ++seed) {
    const auto& [name, config] = configs[seed % configs.size()];
    const MemoryTiming memory = random_memory(seed);
    const auto library = test::rtl_library(config);
    const auto failure = test::check_program(
        test::random_program(config, seed, 60),
        [&](const test::RandomProgram& program) {
          return test::time_difference(
              program,
              [&](const isa::Config& c) {
                return sim::make_rtl_machine(c, library, {memory, {}});
              },
              [&](const isa::Config& c) {
                return sim::make_systemc_machine(c, {memory, {}, {}});
              });
        },
        fmt::format("memory_{}", seed));
    INFO("seed " << seed << " on " << name << " with " << memory.to_json().dump());
    if (failure) FAIL(*failure);
  }
  SUCCEED();
}

TEST_CASE("a watched run ends in the same cycle, whatever its limit", "[property]") {
  const auto configs = test::rtl_configs();
  int timed_out = 0;
  for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
    std::mt19937_64 random(seed);
    const auto& [name, config] = configs[seed % configs.size()];
    const auto image = test::image_of(test::random_program(config, seed, 40));
    const MemoryTiming memory = random_memory(seed);
    const auto rtl = sim::make_rtl_machine(config, test::rtl_library(config), {memory, {}});
    const auto systemc = sim::make_systemc_machine(config, {memory, {}, {}});
    const auto run = [&](sim::Machine& machine, uint64_t max_cycles) {
      sim::Dram dram{Bytes(test::RandomProgram::kDramBytes)};
      dram.write(Bytes(0), image.bytes);
      sim::RunOptions options;
      options.max_cycles = max_cycles;
      machine.reset();  // what a run leaves in the scratchpads may make the same program an illegal one
      return machine.run(dram, {Bytes(test::RandomProgram::kInsnAddress), image.insn_count}, options);
    };
    const auto whole = run(*rtl, UINT64_MAX);
    REQUIRE(whole.ok());
    const uint64_t cycles = whole.cycles->count();
    for (const uint64_t limit : {cycles, cycles - 1, 1 + random() % cycles, 1 + random() % 100}) {
      const auto expected = run(*rtl, limit), got = run(*systemc, limit);
      INFO("seed " << seed << " on " << name << ", " << limit << " of " << cycles << " cycles, with "
                   << memory.to_json().dump());
      REQUIRE(got.message == expected.message);
      REQUIRE(got.status == expected.status);
      REQUIRE(got.ok() == (limit >= cycles));
      const auto differs = test::time_difference(expected, got);
      INFO(differs.value_or(""));
      REQUIRE(!differs);
      timed_out += !got.ok();
    }
  }
  CHECK(timed_out > 20);
}

TEST_CASE("programs with flipped bits end in the same way on the functional simulator", "[property]") {
  const auto configs = test::rtl_configs();
  int refused = 0, deadlocked = 0;
  for (uint64_t seed = 0; seed < test::seeds(150); ++seed) {
    std::mt19937_64 random(seed);
    const auto& [name, config] = configs[seed % configs.size()];
    const auto image = flipped_image(config, seed, random);
    sim::RunOptions options;
    options.max_steps = 100'000;
    const auto run = [&](std::unique_ptr<sim::Machine> machine, sim::Dram& dram) {
      dram.write(Bytes(0), image.bytes);
      return machine->run(dram, {Bytes(test::RandomProgram::kInsnAddress), image.insn_count}, options);
    };
    sim::Dram functional_memory{Bytes(test::RandomProgram::kDramBytes)},
        systemc_memory{Bytes(test::RandomProgram::kDramBytes)};
    const auto expected = run(sim::make_functional_machine(config), functional_memory);
    const auto got = run(sim::make_systemc_machine(config, {random_memory(seed), {}, {}}), systemc_memory);
    const auto insns = std::span(image.bytes).subspan(test::RandomProgram::kInsnAddress, image.insn_count * 16);
    // When the program stores over itself, it depends on the time what is fetched.
    if (!std::equal(insns.begin(), insns.end(), systemc_memory.data() + test::RandomProgram::kInsnAddress)) continue;
    // What comes first of a limit and a refusal depends on how far the other stages are.
    if (expected.status == RunStatus::kStepLimit || got.status == RunStatus::kStepLimit) continue;
    INFO("seed " << seed << " on " << name << ": " << expected.message << " | " << got.message);
    REQUIRE(got.status == expected.status);
    const auto memory_of = [](const sim::Dram& dram) {
      return std::span(dram.data(), test::RandomProgram::kDramBytes);
    };
    if (got.ok() && !std::ranges::equal(memory_of(functional_memory), memory_of(systemc_memory))) {
      // A token is missing that ordered two stages: then the order decides on the functional simulator as well.
      bool depends_on_order = false;
      for (uint64_t order = 1; order < 100 && !depends_on_order; ++order) {
        options.interleaving_seed = order;
        sim::Dram memory{Bytes(test::RandomProgram::kDramBytes)};
        run(sim::make_functional_machine(config), memory);
        depends_on_order = !std::ranges::equal(memory_of(memory), memory_of(functional_memory));
      }
      CHECK(depends_on_order);
    }
    refused += got.status == RunStatus::kRefused;
    deadlocked += got.status == RunStatus::kDeadlock;
  }
  CHECK(refused > 20);
  CHECK(deadlocked > 1);
}

TEST_CASE("programs with flipped bits end in the same cycle with the same words", "[property]") {
  const auto configs = test::rtl_configs();
  int failed = 0;
  for (uint64_t seed = 0; seed < test::seeds(150); ++seed) {
    std::mt19937_64 random(seed);
    const auto& [name, config] = configs[seed % configs.size()];
    const MemoryTiming memory = random_memory(seed);
    const auto image = flipped_image(config, seed, random);
    const auto program = std::span(image.bytes).subspan(test::RandomProgram::kInsnAddress, image.insn_count * 16);
    sim::RunOptions options;
    options.record_retirement = true;
    options.max_steps = 100'000;
    const auto run = [&](std::unique_ptr<sim::Machine> machine, sim::Dram& dram) {
      dram.write(Bytes(0), image.bytes);
      return machine->run(dram, {Bytes(test::RandomProgram::kInsnAddress), image.insn_count}, options);
    };
    sim::Dram rtl_memory{Bytes(test::RandomProgram::kDramBytes)},
        systemc_memory{Bytes(test::RandomProgram::kDramBytes)};
    const auto expected = run(sim::make_rtl_machine(config, test::rtl_library(config), {memory, {}}), rtl_memory);
    const auto got = run(sim::make_systemc_machine(config, {memory, {}, {}}), systemc_memory);
    // When the program stores over itself, it depends on the beat what is fetched
    if (!std::equal(program.begin(), program.end(), rtl_memory.data() + test::RandomProgram::kInsnAddress)) continue;
    INFO("seed " << seed << " on " << name << " with " << memory.to_json().dump());
    REQUIRE(got.message == expected.message);
    REQUIRE(got.status == expected.status);
    failed += !got.ok();
    if (got.status == RunStatus::kStepLimit) continue;  // the RTL runs on for a while
    const auto differs = test::time_difference(expected, got);
    INFO(differs.value_or(""));
    REQUIRE(!differs);
  }
  CHECK(failed > 50);
}

TEST_CASE("programs recorded from another VTA compiler take the RTL's cycles", "[unit]") {
  const auto folder = test::source_dir() / ".." / "shared" / "bundles";
  if (!std::filesystem::is_directory(folder)) {
    WARN("SKIPPED: no folder " << folder << "; random programs alone were compared");
    return;
  }
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.insert(entry.path());
  const std::vector<std::string> memories = {"ideal", "m1", "m64", "ddr3", "narrow"};
  size_t count = 0;
  for (const auto& path : paths) {
    const Bundle bundle = load_bundle(path);
    // Each with another two of them.
    for (size_t m = count; m < count + std::min<uint64_t>(memories.size(), test::seeds(2)); ++m) {
      const std::string& memory = memories[m % memories.size()];
      sim::RunResult results[2];
      for (const bool is_systemc : {false, true}) {
        const auto machine =
            is_systemc ? systemc_machine(bundle.config, memory) : test::rtl_machine(bundle.config, memory);
        sim::Dram dram;
        for (const auto& segment : bundle.memory) dram.write(segment.address, std::as_bytes(std::span(segment.bytes)));
        sim::RunOptions options;
        options.record_retirement = true;
        results[is_systemc] = machine->run(dram, {bundle.insn_address, bundle.insn_count}, options);
      }
      INFO(bundle.name << " with " << memory);
      REQUIRE(results[0].ok());
      CHECK(results[1].counters == results[0].counters);
      const auto differs = test::time_difference(results[0], results[1]);
      INFO(differs.value_or(""));
      CHECK(!differs);
    }
    ++count;
  }
  CHECK(count >= 30);
}

}  // namespace vantage::test::sim_systemc_machine_test
