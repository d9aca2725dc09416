// What a machine records of its runs against what it reports of them.
#include "sim/profile/recorded_run.h"

#include <algorithm>

#include "sim/profile/scratchpad_uses.h"
#include "sim/profile/token_links.h"
#include "sim/systemc/systemc_machine.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/random_config.h"
#include "tests/support/random_program.h"

namespace vantage::test::sim_profile_recorded_run_test {

using namespace vantage;

namespace {

// Runs a random program, and looks at what was recorded while it is there.
void observe(uint64_t seed, const std::function<void(const isa::Config&, const sim::RecordedRun&)>& look) {
  const isa::Config config = test::random_config(seed);
  const auto image = test::image_of(test::random_program(config, seed, 60));
  sim::Dram dram{Bytes(test::RandomProgram::kDramBytes)};
  dram.write(Bytes(0), image.bytes);
  bool looked = false;
  sim::SystemCOptions options;
  options.observer = [&](const sim::RecordedRun& run) {
    looked = true;
    look(config, run);
  };
  const auto machine = sim::make_systemc_machine(config, options);
  REQUIRE(machine->run(dram, {Bytes(test::RandomProgram::kInsnAddress), image.insn_count}, {}).ok());
  CHECK(looked);
}

uint64_t count(const std::vector<bool>& cycles) {
  return static_cast<uint64_t>(std::count(cycles.begin(), cycles.end(), true));
}

}  // namespace

TEST_CASE("what stages are recorded to do is what they are reported to do", "[property]") {
  for (uint64_t seed = 0; seed < test::seeds(100); ++seed) {
    observe(seed, [&](const isa::Config&, const sim::RecordedRun& run) {
      INFO("seed " << seed);
      const uint64_t cycles = run.result.cycles->count();
      for (const isa::Stage stage : isa::kAllStages) {
        std::vector<bool> busy(cycles), under_way(cycles), waits(cycles);
        for (const sim::StageBusy& b : run.busy) {
          for (uint64_t i = 0; i < b.count && b.stage == stage; ++i) busy.at(b.first.count() + i * b.step) = true;
        }
        for (const sim::RetireRecord& record : run.result.retired) {
          if (record.stage != stage) continue;
          for (uint64_t c = record.start.count() + 1; c <= record.end.count() && c < cycles; ++c) under_way[c] = true;
        }
        for (const sim::TokenWait& wait : run.token_waits) {
          for (uint64_t c = wait.first.count(); c <= wait.last.count() && wait.stage == stage; ++c) waits.at(c) = true;
        }
        const sim::StageCycles& reported = run.result.stages.at(static_cast<size_t>(stage));
        INFO(name(stage));
        CHECK(count(busy) == reported.busy.count());
        CHECK(count(waits) == reported.token_wait.count());
        CHECK(count(under_way) - count(busy) == reported.memory_wait.count());
      }
    });
  }
}

TEST_CASE("a token is popped after it was pushed, and an instruction is issued after its last one came", "[property]") {
  for (uint64_t seed = 0; seed < test::seeds(50); ++seed) {
    observe(seed, [&](const isa::Config&, const sim::RecordedRun& run) {
      INFO("seed " << seed);
      for (const sim::TokenLink& link : sim::token_links(run)) {
        CHECK(link.pushed < link.popped);
        CHECK(link.from < run.insns.size());
        CHECK(link.to < run.insns.size());
      }
    });
  }
}

TEST_CASE("scratchpads hold no more than they have entries, and nothing before or after", "[property]") {
  for (uint64_t seed = 0; seed < test::seeds(50); ++seed) {
    observe(seed, [&](const isa::Config& config, const sim::RecordedRun& run) {
      INFO("seed " << seed);
      for (const auto& [memory, changes] : sim::occupied_entries(run)) {
        INFO(isa::name(memory));
        int64_t held = 0;
        for (const auto& [cycle, by] : changes) {
          held += by;
          CHECK(held >= 0);
          CHECK(held <= static_cast<int64_t>(config.depth(memory).count()));
          CHECK(cycle <= run.result.cycles->count());
        }
        CHECK(held == 0);
      }
    });
  }
}

}  // namespace vantage::test::sim_profile_recorded_run_test
