// What a run amounts to.
#include "sim/profile/summary.h"

#include "tests/catch.h"

namespace vantage::test::sim_profile_summary_test {

using namespace vantage;

namespace {

sim::RunResult run_of(uint64_t cycles, uint64_t gemm_steps, sim::StageCycles compute) {
  sim::RunResult result;
  result.cycles = Cycles(cycles);
  result.counters.gemm_counter = gemm_steps;
  const sim::StageCycles idle{Cycles(0), Cycles(0), Cycles(0), Cycles(cycles)};
  result.stages = {idle, compute, idle};
  return result;
}

}  // namespace

TEST_CASE("time, GOPS and utilisation follow from counters and cycles", "[unit]") {
  const auto config = isa::Config::vta_default();  // 256 multipliers, 8 bytes a beat, 100 MHz
  sim::RunResult result = run_of(1000, 500, {Cycles(500), Cycles(500), Cycles(0), Cycles(0)});
  result.counters.inp_load_nbytes = 1000;
  result.counters.wgt_load_nbytes = 600;
  result.counters.acc_load_nbytes = 300;
  result.counters.uop_load_nbytes = 100;
  result.counters.out_store_nbytes = 800;
  const sim::Summary summary = summarize(config, result);
  CHECK(summary.seconds == Approx(10e-6));
  CHECK(summary.gops == Approx(25.6));
  CHECK(summary.gemm_utilisation == Approx(0.5));
  CHECK(summary.read_utilisation == Approx(0.25));
  CHECK(summary.write_utilisation == Approx(0.1));
}

TEST_CASE("the bottleneck is what is busy, or what is waited for", "[unit]") {
  const auto config = isa::Config::vta_default();
  const auto sentence = [&](const sim::RunResult& result) { return summarize(config, result).bottleneck; };
  CHECK(sentence(run_of(1000, 950, {Cycles(960), Cycles(40), Cycles(0), Cycles(0)})) ==
        "bound: the GEMM core works in 95 % of the cycles.");
  CHECK_THAT(sentence(run_of(1000, 300, {Cycles(900), Cycles(100), Cycles(0), Cycles(0)})),
             ContainsSubstring("the compute stage works in 90 % of the cycles, of which GEMM steps are 30 %"));
  sim::RunResult streams = run_of(1000, 30, {Cycles(40), Cycles(960), Cycles(0), Cycles(0)});
  streams.counters.wgt_load_nbytes = 7600;
  CHECK_THAT(sentence(streams), ContainsSubstring("the bus brings data in 95 % of the cycles"));

  sim::RunResult turns = run_of(1000, 400, {Cycles(450), Cycles(500), Cycles(50), Cycles(0)});
  turns.stages[0] = {Cycles(300), Cycles(600), Cycles(100), Cycles(0)};
  CHECK_THAT(sentence(turns), ContainsSubstring("not bound by any part: compute is busy in 45 % of the cycles") &&
                                  ContainsSubstring("load and compute take turns"));
  turns.stages[0] = {Cycles(100), Cycles(100), Cycles(700), Cycles(100)};
  CHECK_THAT(sentence(turns), ContainsSubstring("memory brings data late"));
  CHECK_THAT(sentence(run_of(1000, 100, {Cycles(200), Cycles(100), Cycles(700), Cycles(0)})),
             ContainsSubstring("its own loads hold it up"));
}

}  // namespace vantage::test::sim_profile_summary_test
