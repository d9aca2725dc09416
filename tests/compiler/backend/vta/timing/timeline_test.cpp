// The compiler's estimate of a program's time, against the cycle-accurate machine.
#include "compiler/backend/vta/timing/timeline.h"

#include <cstdlib>
#include <random>

#include "base/json.h"
#include "base/settings.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"
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

// The last burst of the weights and one of the instructions are asked for in the same cycle.
TEST_CASE("bursts that meet at the arbiter are granted in their turns", "[unit]") {
  Json json = isa::Config::vta_default().to_json();
  json["LOG_BATCH"] = 1;
  const auto config = isa::Config::from_json(json, "2x16");
  ops::Layer layer;
  layer.shape = {
      .batch = 47, .in_channels = 10, .height = 1, .width = 1, .out_channels = 17, .kernel_h = 1, .kernel_w = 1};
  layer.epilogue = {false, 0, -128, 127};
  layer.mapping = ops::parse_mapping(
      R"({"parts": [{"tile": {"n": 4, "oc": 2}, "threads": 2, "sum_places": 2, "input_resident": true,
                     "weights_resident": true}],
          "in_slices": true, "fills_waits": true, "shares_micro_ops": true, "skips_zeros": true})",
      "mapping.json");
  const auto timing = MemoryTiming::load(test::source_dir() / "configs/memory/ddr3.json", config.clock_mhz());
  const Program program = ops::compile_layer(layer, config);
  CHECK(vta::estimate_cycles(program, timing) == cycles_of(program, timing));
}

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
    CHECK(error <= std::max(0.01 * static_cast<double>(cycles), 64.0));
    estimates += estimated;
    actual += cycles;
  }
  CHECK(static_cast<double>(estimates) == Approx(static_cast<double>(actual)).epsilon(0.002));
}

}  // namespace vantage::test::backend_vta_timeline_test
