// Block RAMs of many parts give anything where a read meets a write of the same word. Here they do. CI tries two
// configurations, VANTAGE_TEST_EFFORT=4 all of them.
#include <fmt/format.h>

#include <algorithm>

#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/differential.h"
#include "tests/support/effort.h"

namespace vantage::test::sim_rtl_collision_test {

using namespace vantage;

namespace {

// What is read there has each bit inverted: a core that looks at one of them computes something else.
const sim::SourceEdit kGarbage = {
    "vta_ram.sv", "if (rd_en_i) rd_data_o <= mem[rd_addr_i];",
    "if (rd_en_i) rd_data_o <= (wr_en_i && wr_addr_i == rd_addr_i) ? ~mem[rd_addr_i] : mem[rd_addr_i];"};

// The core takes what was written in the cycle of the read from the RAM.
const sim::SourceEdit kTrusting = {"vta_forward.sv", "else if (was_en_q && ", "else if (1'b0 && was_en_q && "};

test::MakeMachine machine_of(const isa::Config& config, const std::vector<sim::SourceEdit>& edits) {
  const sim::RtlLibrary library = sim::build_model(config, {default_cache(), false, {}, edits});
  return [library](const isa::Config& of) {
    return sim::make_rtl_machine(of, library, {test::memory_setting("m1"), {}});
  };
}

}  // namespace

TEST_CASE("nothing depends on what a RAM gives of a word that is written in the same cycle", "[property]") {
  auto configs = test::rtl_configs();
  std::reverse(configs.begin(), configs.end());  // the small ones first
  configs.erase(configs.begin() + std::min<ptrdiff_t>(std::ssize(configs), test::rounds(2)), configs.end());
  for (const auto& [name, config] : configs) {
    const test::MakeMachine garbage = machine_of(config, {kGarbage});
    for (uint64_t seed = 1; seed <= test::seeds(100); ++seed) {
      const auto failure = test::check_program(
          test::random_program(config, seed, 60),
          [&](const test::RandomProgram& program) { return test::difference(program, garbage); },
          fmt::format("collision_{}_{}", name, seed));
      INFO(name << ", seed " << seed);
      REQUIRE(failure.value_or("") == "");
    }
  }
}

TEST_CASE("the programs of that test read words that are being written", "[property]") {
  const isa::Config config = test::smallest_config();
  const test::MakeMachine trusting = machine_of(config, {kGarbage, kTrusting});
  uint64_t seed = 1;
  while (seed <= 100 && !test::difference(test::random_program(config, seed, 60), trusting)) ++seed;
  CHECK(seed <= 100);
}

}  // namespace vantage::test::sim_rtl_collision_test
