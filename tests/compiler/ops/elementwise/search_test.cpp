#include "compiler/ops/elementwise/search.h"

#include "base/json.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/random_layer.h"
#include "tests/compiler/ops/elementwise/random_elementwise.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_ops_elementwise_search_test {

using namespace vantage;

TEST_CASE("an elementwise layer costs what its program takes, and no less than the bound", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < test::rounds(20); ++round) {
    const isa::Config config = test::random_byte_config(random);
    const ops::Elementwise layer = test::random_elementwise(random, pick(1, 20000));
    MemoryTiming memory;
    memory.read_latency = Cycles(static_cast<uint64_t>(pick(1, 200)));
    if (pick(0, 1) == 0) memory.rate = {static_cast<uint64_t>(pick(1, 16)), 2};
    INFO("round " << round << " on " << config.to_json().dump() << "\n" << test::to_text(layer));
    const ops::ElementwiseSearch found = ops::search_elementwise(layer, config, {0, 0}, memory);
    const Program program = vta::compile(ops::schedule_elementwise(layer, found.tiling, config).function(), config);
    CHECK(vta::estimate_cycles(program, memory) == found.cycles);
    CHECK(found.gap() >= 0);
    CHECK(found.weighed >= 1);
    // What is asked for is kept.
    const ops::ElementwiseSearch same = ops::search_elementwise(layer, config, {found.tiling.tiles, 1}, memory);
    CHECK(same.tiling.tiles == found.tiling.tiles);
    CHECK(same.tiling.threads == 1);
  }
}

TEST_CASE("a tiling for slow memory is faster there than the one for the default", "[unit]") {
  const isa::Config config = isa::Config::vta_default();
  const ops::Elementwise layer = ops::combination(20000, isa::AluOp::kAdd, std::nullopt, 1, -128, 127);
  MemoryTiming slow;
  slow.read_latency = slow.write_latency = Cycles(400);
  const ops::ElementwiseSearch found = ops::search_elementwise(layer, config, {0, 0}, slow);
  const auto with = [&](const ops::ElementwiseTiling& tiling) {
    return vta::estimate_cycles(vta::compile(ops::schedule_elementwise(layer, tiling, config).function(), config),
                                slow);
  };
  CHECK(with(found.tiling) == found.cycles);
  CHECK(found.cycles < with(ops::search_elementwise(layer, config).tiling));
}

}  // namespace vantage::test::compiler_ops_elementwise_search_test
