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
  CHECK(summary.executed.operations == 500 * 512);
  CHECK(summary.executed_gops == Approx(25.6));
  CHECK_FALSE(summary.useful_gops);
  CHECK(summary.gemm_utilisation == Approx(0.5));
  CHECK(summary.read_utilisation == Approx(0.25));
  CHECK(summary.write_utilisation == Approx(0.1));

  const sim::Work work{64'000, 128'000, {"8 input channels on a block of 16"}};
  const sim::Summary padded = summarize(config, result, &work);
  CHECK(padded.executed_gops == Approx(25.6));
  CHECK(*padded.useful_gops == Approx(6.4));
  CHECK(*padded.useful_gemm_utilisation == Approx(0.125));
}

TEST_CASE("a program without a product is counted by the ALU's operations", "[unit]") {
  const auto config = isa::Config::vta_default();  // 16 lanes
  sim::RunResult result = run_of(1000, 0, {Cycles(900), Cycles(100), Cycles(0), Cycles(0)});
  result.counters.alu_counter = 500;
  const sim::Work work{6'000, 8'000, {"12 values on an element of 16"}};
  const sim::Summary summary = summarize(config, result, &work);
  CHECK(summary.executed.by_alu);
  CHECK(summary.executed_gops == Approx(0.8));
  CHECK(*summary.useful_gops == Approx(0.6));
  CHECK_FALSE(summary.useful_gemm_utilisation);
  CHECK(summary.alu_utilisation == Approx(0.5));
  CHECK_THAT(summary.bottleneck, ContainsSubstring("the ALU makes a step in 50 %") &&
                                     ContainsSubstring("25 % of the ALU's operations are padding: 12 values") &&
                                     !ContainsSubstring("GEMM"));
  // Nothing was computed at all
  CHECK(sim::executed(config, {}).operations == 0);
  CHECK(sim::padding_share(work, {}) == 0);
}

TEST_CASE("products that were left out are no padding", "[unit]") {
  const sim::Work work{60'000, 80'000, {"12 input channels on a block of 16"}};
  const sim::Executed all{80'000}, fewer{50'000}, more{100'000};
  CHECK(sim::padding_share(work, all) == Approx(0.25));
  CHECK(sim::padding_share(work, fewer) == Approx(0.25));  // as if all had been made
  CHECK(sim::padding_share(work, more) == Approx(0.4));
  CHECK(sim::left_out_share(work, all) == 0);
  CHECK(sim::left_out_share(work, fewer) == Approx(0.375));
  CHECK(sim::left_out_share(work, more) == 0);
  CHECK(sim::left_out_share(work, {}) == 0);
}

TEST_CASE("the bottleneck says what is lost to padding, and what is padded", "[unit]") {
  const auto config = isa::Config::vta_default();
  const sim::RunResult bound = run_of(1000, 950, {Cycles(960), Cycles(40), Cycles(0), Cycles(0)});
  const uint64_t operations = 950 * 512;
  const sim::Work work{operations * 3 / 16, operations, {"3 input channels on a block of 16"}};
  CHECK(summarize(config, bound, &work).bottleneck ==
        "bound: the GEMM core works in 95 % of the cycles, but 81 % of its operations are padding: 3 input channels "
        "on a block of 16.");
  const sim::Work full{operations, operations, {}};
  CHECK(summarize(config, bound, &full).bottleneck == "bound: the GEMM core works in 95 % of the cycles.");
  const sim::RunResult waits = run_of(1000, 100, {Cycles(200), Cycles(100), Cycles(700), Cycles(0)});
  const sim::Work little{100 * 512 / 2, 100 * 512, {"8 columns of C on a block of 16"}};
  CHECK_THAT(summarize(config, waits, &little).bottleneck,
             ContainsSubstring("its own loads hold it up") &&
                 ContainsSubstring("; 50 % of the GEMM core's operations are padding: 8 columns of C"));
}

TEST_CASE("work adds up, and the part that loses most gives the reason", "[unit]") {
  sim::Work total;
  total += {100, 100, {}};
  total += {10, 80, {"much"}};
  total += {70, 100, {"little"}};
  CHECK(total.useful == 180);
  CHECK(total.in_tiles == 280);
  CHECK(total.paddings == std::vector<std::string>{"much"});
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
