// Programs that overwrite an instruction long before it is fetched: what is said of them is said of what the core was
// given.
#include "base/json.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_rtl_self_modifying_test {

using namespace vantage;
using sim::RunStatus;
using test::TextMachine;

namespace {

constexpr uint64_t kData = 1 << 16;  // where the other instruction lies until it is stored
// More than the compute queue and the fetch buffer hold: behind so many that wait, nothing has been fetched.
constexpr uint64_t kBetween = 700;

// A program whose store replaces the compute instruction `before` by `after`, and which waits for the store.
sim::RunResult run_replaced(TextMachine& m, const std::string& before, const std::string& after,
                            const sim::RunOptions& options = {}) {
  const Program other = assemble(".config " + m.config().to_json().dump() + "\n" + after, "other");
  const isa::Words words = isa::Codec(m.config()).encode(other.insns.at(0));
  m.poke(kData, static_cast<int64_t>(words[0]), 8);
  m.poke(kData + 8, static_cast<int64_t>(words[1]), 8);
  const uint64_t target = TextMachine::kInsnAddress + (3 + kBetween) * isa::kInsnBytes;
  std::string lines = fmt::format(
      "load.acc8 sram=0 dram={} y=1 x=1 stride=1 push=next\n"
      "store.out sram=0 dram={} y=1 x=1 stride=1 pop=prev push=prev\n"
      "load.acc sram=0 dram=0 y=0 x=0 stride=0 pop=next\n",
      kData / 16, target / 16);
  for (uint64_t i = 0; i < kBetween; ++i) lines += "load.acc sram=0 dram=0 y=0 x=0 stride=0\n";
  return m.run(lines + before, options);
}

const std::string kOneStep = "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=1";
const std::string kHundredSteps = "alu.add uop=0:1 out=100 in=1 dst=0,0 src=0,0 imm=1";

}  // namespace

TEST_CASE("the step limit is of what an overwritten program runs", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default()));
  sim::RunOptions options;
  options.max_steps = 50;
  const auto limited = run_replaced(m, kOneStep, kHundredSteps, options);
  CHECK(limited.status == RunStatus::kStepLimit);
  CHECK_THAT(limited.message, ContainsSubstring("instruction 703: alu.add") && ContainsSubstring("out=100"));
  options.max_steps = 100;
  const auto whole = run_replaced(m, kOneStep, kHundredSteps, options);
  INFO(whole.message);
  CHECK(whole.ok());
  CHECK(whole.counters.alu_counter == 100);
  CHECK(run_replaced(m, kHundredSteps, kOneStep, options).counters.alu_counter == 1);
}

TEST_CASE("micro-ops are followed from the load that an overwritten program runs", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default()));
  m.poke_uop(20, {7, 6, 5});
  const std::string outside = "load.uop sram=8190 dram=524288 y=1 x=4 stride=4";
  const auto result = run_replaced(m, outside, "load.uop sram=3 dram=20 y=1 x=1 stride=1");
  INFO(result.message);
  REQUIRE(result.ok());
  CHECK(m.machine().micro_ops()[3] == isa::MicroOp{7, 6, 5});
}

TEST_CASE("an overwritten program is refused for what it ran", "[unit]") {
  TextMachine m(test::rtl_machine(isa::Config::vta_default()));
  const auto result = run_replaced(m, kOneStep, "load.acc sram=2047 dram=0 y=1 x=2 stride=2");
  CHECK(result.status == RunStatus::kRefused);
  CHECK_THAT(result.message, ContainsSubstring("instruction 703: load.acc") &&
                                 ContainsSubstring("reaches index 2048 of the accumulator scratchpad"));
  CHECK(run_replaced(m, kOneStep, kHundredSteps).ok());
}

}  // namespace vantage::test::sim_rtl_self_modifying_test
