// The compiler's estimate of a program's time, against the cycle-accurate machine.
#include "compiler/backend/vta/timing/timeline.h"

#include <cstdlib>
#include <random>

#include "base/settings.h"
#include "driver/open/open.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/random_layer.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"
#include "workload/run_program.h"

namespace vantage::test::backend_vta_timeline_test {

using namespace vantage;

namespace {

uint64_t cycles_of(const Program& program, const MemoryTiming& memory) {
  driver::AcceleratorOptions options;
  options.memory = memory;
  options.dram = Bytes(1 << 24);
  const auto device = driver::open_accelerator("systemc:", program.config, options);
  return workload::run_program(*device, program, "layer", {}).result.cycles->count();
}

}  // namespace

TEST_CASE("a program's time is estimated by the rules that machines follow", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const std::filesystem::path folder = test::source_dir() / "configs" / "memory";
  const std::vector<std::string> memories = settings_in(folder);
  uint64_t estimates = 0, actual = 0;
  for (int round = 0; round < test::rounds(40); ++round) {
    const test::RandomLayer layer = test::random_layer(random, test::random_byte_config(random));
    const std::string& memory = memories[random() % memories.size()];
    const auto timing = MemoryTiming::load(folder / (memory + ".json"), layer.config.clock_mhz());
    const Program program = ops::compile_layer(layer.layer, layer.config);
    const uint64_t cycles = cycles_of(program, timing), estimated = vta::estimate_cycles(program, timing);
    INFO("round " << round << ", memory " << memory << "\n" << test::to_text(layer));
    const auto error = static_cast<double>(std::llabs(static_cast<int64_t>(estimated - cycles)));
    // Bursts that meet at the arbiter in another order shift what follows by some of them.
    CHECK(error <= std::max(0.03 * static_cast<double>(cycles), 200.0));
    estimates += estimated;
    actual += cycles;
  }
  CHECK(static_cast<double>(estimates) == Approx(static_cast<double>(actual)).epsilon(0.005));
}

}  // namespace vantage::test::backend_vta_timeline_test
