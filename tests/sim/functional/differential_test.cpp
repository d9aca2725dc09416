// The functional machine against the oracle on random legal programs.
#include <hwy/highway.h>

#include "sim/functional/functional_machine.h"
#include "sim/functional/vnni.h"
#include "tests/catch.h"
#include "tests/support/differential.h"
#include "tests/support/effort.h"
#include "tests/support/random_config.h"

namespace vantage::test::sim_functional_differential_test {

using namespace vantage;
using test::random_program;

namespace {

std::optional<std::string> check_functional(const test::RandomProgram& program) {
  return test::difference(program, sim::make_functional_machine);
}

void check(const isa::Config& config, uint64_t seed, size_t insns, const std::string& name) {
  const auto failure = test::check_program(random_program(config, seed, insns), check_functional, name);
  INFO(config.name() << " seed " << seed);
  if (failure) FAIL(*failure);
  SUCCEED();
}

}  // namespace

TEST_CASE("random programs agree with the oracle on every shipped configuration", "[property]") {
  for (const std::string& name : test::shipped_config_names()) {
    const auto config = test::shipped_config(name);
    for (uint64_t seed = 0; seed < 12; ++seed) check(config, seed, 60, fmt::format("shipped_{}_{}", name, seed));
  }
}

TEST_CASE("random programs agree with the oracle on random configurations", "[property]") {
  for (uint64_t seed = 0; seed < test::seeds(500); ++seed) {
    check(test::random_config(seed), seed, 60, fmt::format("random_{}", seed));
  }
}

TEST_CASE("every interleaving that the tokens allow gives the same result", "[property]") {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const auto program = random_program(test::random_config(seed), seed, 80);
    for (uint64_t order = 0; order < 8; ++order) {
      const auto failure = test::check_program(
          program,
          [&](const auto& candidate) { return test::difference(candidate, sim::make_functional_machine, order); },
          fmt::format("interleaving_{}_{}", seed, order));
      INFO("program " << seed << " order " << order);
      if (failure) FAIL(*failure);
    }
  }
  SUCCEED();
}

TEST_CASE("every vector target of this processor agrees with the oracle", "[property]") {
  const auto restore = [] {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  };
  auto targets = hwy::SupportedAndGeneratedTargets();
  if (sim::has_vnni()) targets.push_back(HWY_AVX3 | HWY_AVX3_DL);
  for (int64_t target : targets) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (const std::string& name : test::shipped_config_names()) {
      const auto config = test::shipped_config(name);
      for (uint64_t seed = 100; seed < 104; ++seed) {
        const auto failure = test::check_program(random_program(config, seed, 60), check_functional, "target");
        INFO("targets " << target << " " << name << " seed " << seed);
        if (failure) {
          restore();
          FAIL(*failure);
        }
      }
    }
  }
  restore();
  SUCCEED();
}

}  // namespace vantage::test::sim_functional_differential_test
