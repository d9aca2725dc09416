// The Verilated core behind the Machine interface.
#include "sim/rtl/rtl_machine.h"

#include <fstream>

#include "base/file.h"
#include "sim/rtl/fst_file.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_rtl_machine_test {

using namespace vantage;
using sim::RunStatus;
using test::TextMachine;

namespace {

const std::string kStoreFive =
    "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=5 push=next\n"
    "store.out sram=0 dram=4096 y=1 x=1 stride=1 pop=prev push=prev";

}  // namespace

TEST_CASE("scratchpads keep their contents between runs until a reset", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default()));
  REQUIRE(m.run(kStoreFive).ok());
  CHECK(m.peek(65536) == 5);
  REQUIRE(m.run(kStoreFive).ok());
  CHECK(m.peek(65536) == 10);
  m.machine().reset();
  REQUIRE(m.run(kStoreFive).ok());
  CHECK(m.peek(65536) == 5);
}

TEST_CASE("an observer is told what engines worked on, from issue to retirement", "[unit]") {
  const isa::Config config = isa::Config::vta_default();
  std::vector<sim::EngineWork> work;
  std::vector<isa::Insn> insns;
  uint64_t cycles = 0;
  sim::RtlOptions options;
  options.observer = [&](const sim::RecordedRun& run) {
    work.assign(run.work.begin(), run.work.end());
    insns.assign(run.insns.begin(), run.insns.end());
    cycles = run.result.cycles->count();
    CHECK(run.result.retired.size() == 3);
  };
  TextMachine m(sim::make_rtl_machine(config, test::rtl_library(config), options));
  const auto result = m.run(kStoreFive);
  CHECK(result.retired.empty());
  CHECK(result.cycles->count() == cycles);
  CHECK(insns.size() == 3);
  REQUIRE(work.size() == 2);
  CHECK(work[0].engine == sim::Engine::kAlu);
  CHECK(work[1].engine == sim::Engine::kStore);
  CHECK(work[0].last < work[1].last);
  CHECK(work[1].last.count() < cycles);
}

TEST_CASE("the same program takes the same cycles on every run and on every instance", "[unit]") {
  TextMachine a(test::rtl_machine(isa::Config::vta_default(), "ddr3"));
  TextMachine b(test::rtl_machine(isa::Config::vta_default(), "ddr3"));
  const auto first = a.run(kStoreFive);
  CHECK(a.run(kStoreFive).cycles == first.cycles);
  CHECK(b.run(kStoreFive).cycles == first.cycles);
}

TEST_CASE("retire records tell when an instruction came, began and ended", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default(), "m64"));
  sim::RunOptions options;
  options.record_retirement = true;
  uint64_t told = 0;
  options.progress = [&](uint64_t retired, uint64_t) { told = retired; };
  const auto result = m.run(kStoreFive, options);
  REQUIRE(result.retired.size() == 3);
  CHECK(told == 3);
  for (const auto& record : result.retired) {
    CHECK(record.issue < record.start);
    CHECK(record.start <= record.end);
    CHECK(record.end < *result.cycles);
  }
  CHECK(result.retired[0].insn == 0);
  CHECK(result.retired[0].stage == isa::Stage::kCompute);
  // The last to retire ends the run: the store, with memory's response.
  CHECK(result.retired.back().stage == isa::Stage::kStore);
  CHECK(result.retired.back().end + Cycles(1) == *result.cycles);
  CHECK(result.retired.back().end - result.retired.back().start > Cycles(64));
}

TEST_CASE("a stage's cycles add up to the run's", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default(), "m64"));
  const auto result = m.run(kStoreFive);
  REQUIRE(result.stages.size() == 3);
  for (const auto& stage : result.stages) {
    CHECK(stage.busy + stage.token_wait + stage.memory_wait + stage.idle == *result.cycles);
  }
  const auto& store = result.stages[static_cast<size_t>(isa::Stage::kStore)];
  CHECK(store.busy == Cycles(2));  // two beats
  CHECK(store.memory_wait >= Cycles(60));
  CHECK(store.token_wait > Cycles(0));
}

TEST_CASE("micro-ops of earlier runs are known", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default()));
  m.poke_uop(3, {7, 6, 5});
  REQUIRE(m.run("load.uop sram=10 dram=2 y=1 x=2 stride=2").ok());
  CHECK(m.machine().micro_ops()[11] == isa::MicroOp{7, 6, 5});
  m.machine().reset();
  CHECK(m.machine().micro_ops()[11] == isa::MicroOp{});
}

TEST_CASE("a run past its step limit is given up and the core stays usable", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default()));
  sim::RunOptions options;
  options.max_steps = 100;
  const auto result = m.run("alu.add uop=0:1 out=16383 in=16383 dst=0,0 src=0,0 imm=1", options);
  CHECK(result.status == RunStatus::kStepLimit);
  CHECK_THAT(result.message, ContainsSubstring("the run would exceed its limit of 100 steps"));
  CHECK(result.cycles.has_value());
  CHECK(result.stages.size() == 3);
  const auto later = m.run(
      "load.acc sram=0 dram=0 y=1 x=4 stride=4\n"
      "alu.add uop=0:1 out=90 in=1 dst=0,0 src=0,0 imm=1\n"
      "alu.add uop=0:1 out=11 in=1 dst=0,0 src=0,0 imm=1",
      options);
  CHECK(later.status == RunStatus::kStepLimit);
  CHECK(later.counters.acc_load_nbytes == 256);
  CHECK(later.counters.alu_counter <= 101);
  CHECK(m.run(kStoreFive).ok());
}

TEST_CASE("a program that overwrites itself behind its back is judged by what ran", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default()));
  // The store goes over the FINISH that follows it
  const uint64_t finish = TextMachine::kInsnAddress + 2 * isa::kInsnBytes;
  REQUIRE(finish % 16 == 0);
  const auto result = m.run("alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=7 push=next\nstore.out sram=0 dram=" +
                            std::to_string(finish / 16) + " y=1 x=1 stride=1 pop=prev");
  CHECK(result.ok());
  CHECK(result.warnings.empty());
  CHECK(m.peek(finish) == 7);
}

TEST_CASE("a run in which steps take long, or memory does, is no hang, and one in which nothing happens is", "[unit]") {
  const auto config = test::smallest_config();
  const auto library = test::rtl_library(config);
  const auto machine = [&](const MemoryTiming& memory, uint64_t hang_after) {
    sim::RtlOptions options;
    options.memory = memory;
    options.hang_after = Cycles(hang_after);
    return TextMachine(sim::make_rtl_machine(config, library, options));
  };
  // More steps in one instruction than that, and more cycles in which memory answers five times
  const std::string steps = "alu.max uop=0:1 out=300 in=300 dst=0,0 src=0,0 imm=1";
  CHECK(machine(test::memory_setting("m64"), 10'000).run(steps).ok());
  MemoryTiming slow;
  slow.read_latency = Cycles(100'000);
  slow.max_jitter = Cycles(100'000);
  slow.max_reads = 1;
  const auto result =
      machine(slow, 250'000).run("load.inp sram=0 dram=0 y=1 x=4 stride=4\nload.acc sram=0 dram=0 y=1 x=1 stride=1 ");
  CHECK(result.ok());
  CHECK(result.cycles->count() > 300'000);
  CHECK_THROWS_WITH(machine(test::memory_setting("m64"), 3).run(steps),
                    ContainsSubstring("the core has done nothing for 3 cycles, in cycle "));
}

TEST_CASE("tokens left over are a warning", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default()));
  const auto result = m.run("load.inp sram=0 dram=0 y=1 x=1 stride=1 push=next");
  REQUIRE(result.ok());
  CHECK(result.warnings == std::vector<std::string>{"tokens are left over at FINISH: load->compute 1"});
  CHECK(m.run("load.acc sram=0 dram=0 y=0 x=0 stride=0 pop=prev").status == RunStatus::kDeadlock);
}

TEST_CASE("a library of another configuration is refused", "[unit]") {
  const auto library = test::rtl_library(isa::Config::vta_default());
  CHECK_THAT(ERROR_OF(sim::make_rtl_machine(test::shipped_config("8x8"), library, {})),
             ContainsSubstring("remove it to have it built anew"));
}

TEST_CASE("a model that was built is not built again, and an interrupted build leaves none", "[unit]") {
  const test::TemporaryFolder folder;
  std::vector<std::string> steps;
  const sim::ModelBuild build{folder.path(), false, [&](const std::string& what) { steps.push_back(what); }};
  const auto config = test::smallest_config();
  const auto path = sim::model_path(config, build);
  // What a build that was killed leaves behind, and a model that nobody vouches for
  std::filesystem::create_directories(std::filesystem::path(path) += ".work");
  std::ofstream(std::filesystem::path(path).concat(".work") / "vta.sv") << "half";
  std::ofstream(path) << "no library";

  CHECK(sim::build_model(config, build).path() == path);
  REQUIRE(steps.size() == 3);
  CHECK_THAT(steps[0], ContainsSubstring("the cache's model is not taken (" + path.string() + ".json: "));
  CHECK(steps[1] == "verilating");
  CHECK(steps[2] == "compiling");
  CHECK_FALSE(std::filesystem::exists(std::filesystem::path(path) += ".work"));
  const auto library = sim::build_model(config, build);
  CHECK(steps.size() == 3);
  // What was loaded is not the file's any more.
  std::filesystem::resize_file(path, 1000);
  TextMachine m(sim::make_rtl_machine(config, library, {}));
  CHECK(m.run("").ok());
}

TEST_CASE("waves are recorded on request", "[unit]") {
  const test::TemporaryFolder folder;
  const auto config = test::smallest_config();
  const auto library = sim::build_model(config, {default_cache(), true, {}});
  const auto path = folder.path() / "run.fst";
  {
    TextMachine m(sim::make_rtl_machine(config, library, {{}, path}));
    REQUIRE(m.run("").ok());
  }
  CHECK(std::filesystem::is_empty(folder.path()));  // nobody asked for the file
  TextMachine m(sim::make_rtl_machine(config, library, {{}, path}));
  REQUIRE(m.run("").ok());
  m.machine().finish_trace();
  CHECK(std::filesystem::file_size(path) > 1000);
  CHECK(sim::is_whole_fst(path));
  REQUIRE(m.run("").ok());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 10);
  CHECK_FALSE(sim::is_whole_fst(path));
  CHECK_THAT(ERROR_OF(sim::make_rtl_machine(config, library, {{}, "/dev/null"})), ContainsSubstring("is a device"));
  CHECK_THAT(
      ERROR_OF(sim::make_rtl_machine(config, sim::build_model(config, {default_cache(), false, {}}), {{}, path})),
      ContainsSubstring("waves cannot be written"));
}

TEST_CASE("which lines ran is counted on request", "[unit]") {
  const test::TemporaryFolder folder;
  const auto config = test::smallest_config();
  const auto path = folder.path() / "run.dat";
  const auto library = sim::build_model(config, {.cache = default_cache(), .coverage = true});
  REQUIRE(TextMachine(sim::make_rtl_machine(config, library, {})).run("").ok());
  library.write_coverage(path);
  const std::string text = read_file(path, Bytes(1 << 24));
  CHECK(text.starts_with("# SystemC::Coverage-3"));
  CHECK_THAT(text, ContainsSubstring("vta_fetch.sv"));
  CHECK_THAT(ERROR_OF(library.write_coverage(folder.path() / "no" / "such")), ContainsSubstring("cannot be written"));
  CHECK_THAT(ERROR_OF(test::rtl_library(config).write_coverage(path)), ContainsSubstring("cannot be written"));
}

}  // namespace vantage::test::sim_rtl_machine_test
