#include "hw/isa/tokens.h"

#include "base/json.h"
#include "hw/isa/timing.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"

namespace vantage::test::hw_isa_tokens_test {

using namespace vantage;
using namespace vantage::isa;

namespace {

std::vector<Insn> program(const std::string& lines) {
  return assemble(".config " + isa::Config::vta_default().to_json().dump() + "\n" + lines, "p.s").insns;
}

const std::string kLoad = "load.inp sram=0 dram=0 y=1 x=1 stride=1";
const std::string kStore = "store.out sram=0 dram=0 y=1 x=1 stride=1";
const std::string kCompute = "load.acc sram=0 dram=0 y=1 x=1 stride=1";

}  // namespace

TEST_CASE("tokens that a later instruction of another stage pushes are waited for, not missed", "[unit]") {
  // The load comes first in the program but pops what the compute instruction after it pushes.
  const auto insns = program(kLoad + " pop=next\n" + kCompute + " push=prev\nfinish");
  const auto report = run_tokens(insns);
  CHECK_FALSE(report.deadlock);
  CHECK(report.leftover.leftover().empty());
}

TEST_CASE("a deadlock names every stage that waits, its instruction and the queue", "[unit]") {
  const auto insns =
      program(kLoad + " pop=next push=next\n" + kCompute + " pop=prev push=prev\n" + kStore + " pop=prev\nfinish");
  const auto report = run_tokens(insns);
  REQUIRE(report.deadlock.stages.size() == 3);
  CHECK(
      deadlock_message(report.deadlock, insns) ==
      "the load stage waits at instruction 0 (load.inp   sram=0 dram=0 y=1 x=1 stride=1 pop=next push=next) "
      "for a compute->load token; the compute stage waits at instruction 1 (load.acc   sram=0 dram=0 y=1 x=1 stride=1 "
      "pop=prev push=prev) for a load->compute token; the store stage waits at instruction 2 (store.out  sram=0 dram=0 "
      "y=1 x=1 stride=1 pop=prev) for a compute->store token; no stage that is still running pushes one");
}

TEST_CASE("tokens left over are counted by queue", "[unit]") {
  const auto report =
      run_tokens(program(kLoad + " push=next\n" + kLoad + " push=next\n" + kStore + " push=prev\nfinish"));
  CHECK_FALSE(report.deadlock);
  CHECK(report.leftover.leftover() == "load->compute 2, store->compute 1");
}

TEST_CASE("bits that name a neighbour that does not exist are ignored", "[unit]") {
  const auto report = run_tokens(program(kLoad + " pop=prev push=prev\n" + kStore + " pop=next push=next\nfinish"));
  CHECK_FALSE(report.deadlock);
  CHECK(report.leftover.leftover().empty());
}

TEST_CASE("what follows FINISH pushes no tokens", "[unit]") {
  const auto report = run_tokens(program("finish pop=prev\n" + kLoad + " push=next"));
  CHECK(report.deadlock.stages.size() == 1);
}

TEST_CASE("a program that only goes on by looking past 512 waiting instructions has a deadlock", "[unit]") {
  const auto with_stores = [](size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += kStore + " pop=prev\n";
    for (size_t i = 0; i < count; ++i) text += kCompute + " push=next\n";
    return program(text + "finish");
  };
  CHECK_FALSE(run_tokens(with_stores(isa::timing::kQueueDepth)).deadlock);

  const auto insns = with_stores(isa::timing::kQueueDepth + 1);
  const auto report = run_tokens(insns);
  REQUIRE(report.deadlock);
  CHECK(report.deadlock.stuck_insn == isa::timing::kQueueDepth);
  CHECK_THAT(deadlock_message(report.deadlock, insns),
             ContainsSubstring("the store stage waits at instruction 0") &&
                 ContainsSubstring("and instruction 512 and all after it stay outside because 512 instructions of the "
                                   "store stage wait"));
}

}  // namespace vantage::test::hw_isa_tokens_test
