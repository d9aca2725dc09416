// Programs that nobody meant: random bits, and legal programs with bits flipped. Whatever they are, nothing crashes,
// hangs or touches memory outside, and machine and verifier agree on what is legal.
#include <random>

#include "sim/functional/functional_machine.h"
#include "tests/catch.h"
#include "tests/fuzz/hostile_program.h"
#include "tests/support/effort.h"

namespace vantage::test::sim_functional_hostile_test {

using namespace vantage;

TEST_CASE("hostile instructions are refused or done, as the interpreter does", "[property]") {
  const auto insns = test::seeds(500'000);
  constexpr uint64_t kPerMachine = 20'000;
  uint64_t total = 0;
  uint64_t done = 0;
  uint64_t refused = 0;
  for (uint64_t seed = 0; total < insns; ++seed) {
    test::HostileMachine machine(seed);
    std::mt19937_64 random(seed);
    for (uint64_t executed = 0; executed < kPerMachine;) {
      const auto words = test::hostile_words(machine, random);
      const auto outcome = machine.run(words);
      INFO("seed " << seed << ": " << outcome.disagreement);
      REQUIRE(outcome.disagreement.empty());
      (outcome.ok ? done : refused) += 1;
      executed += words.size();
      total += words.size();
    }
  }
  // Both kinds must really occur, or the test would say little.
  CHECK(done > total / 1000);
  CHECK(refused > total / 1000);
}

}  // namespace vantage::test::sim_functional_hostile_test
