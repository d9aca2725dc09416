// The core under Icarus from power-on, with every register and memory unknown until it is written: nothing unknown
// reaches what others act on (benches/vta_bench.sv says what that is), no assertion is ever unknown, and the results
// are the expected ones. Verilator, which has no unknown values, cannot show this.
#include <algorithm>

#include "tests/catch.h"
#include "tests/hw/rtl/core_bench.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/effort.h"

namespace vantage::test::hw_rtl_unknowns_test {

using namespace vantage;
using test::CoreBench;

TEST_CASE("recorded programs leave nothing unknown behind", "[unit]") {
  for (const char* name : {"gemm_8x8_threads", "gemm_batch4", "gemm_int4"}) {
    INFO(name);
    const Bundle bundle = load_bundle(test::source_dir() / "tests" / "data" / "bundles" / name);
    std::string said;
    const auto outcome = CoreBench(bundle.config, true).run(test::bench_program(bundle), 1, said);
    INFO(said);
    REQUIRE(outcome);
    CHECK(test::difference(*outcome, bundle.expect, bundle.counters, false).value_or("nothing") == "nothing");
  }
}

// They read scratchpads that they never wrote, which hold zeros on an FPGA; what follows from those is data, and
// unknown here.
TEST_CASE("random programs let nothing unknown but data leave the core", "[unit]") {
  for (const auto& [name, config] : test::rtl_configs()) {
    if (name != "1x1" && name != "4x4_bus512" && name != "i16w16a16_bus256") continue;
    CoreBench bench(config, true);
    for (uint64_t seed = 1; seed <= test::seeds(1); ++seed) {
      INFO(name << ", seed " << seed);
      const auto program = test::bench_program(test::random_program(config, seed, 40));
      std::string said;
      const auto outcome = bench.run(program.program, seed, said);
      INFO(said);
      REQUIRE(outcome);
      CHECK(test::difference(*outcome, {{Bytes(0), program.expected}}, program.counters, true).value_or("nothing") ==
            "nothing");
      const auto unknown = std::count_if(outcome->memory.begin(), outcome->memory.end(), [](const std::string& byte) {
        return byte.find_first_of("xX") != std::string::npos;
      });
      CHECK(unknown < static_cast<ptrdiff_t>(test::RandomProgram::kInsnAddress / 2));
    }
  }
}

}  // namespace vantage::test::hw_rtl_unknowns_test
