// Random layers and random schedules, compiled and run, against the reference interpreter. Other ones with another
// --rng-seed.
#include <fstream>

#include "base/error.h"
#include "base/json.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "compiler/ops/conv2d/vta_conv2d.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "compiler/ops/elementwise/search.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/check_compiled.h"
#include "tests/compiler/backend/vta/random_gemm.h"
#include "tests/compiler/backend/vta/random_layer.h"
#include "tests/compiler/ops/elementwise/random_elementwise.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"

namespace vantage::test::backend_vta_property_test {

using namespace vantage;
using test::RandomLayer;

namespace {

std::string check(const RandomLayer& r, const test::CheckOptions& options) {
  std::mt19937_64 random(7);
  try {
    const auto definition = ops::vta_conv2d(r.layer.shape, r.layer.epilogue, r.config);
    const auto scheduled = ops::schedule_layer(r.layer, r.config);
    return test::check_compiled(definition, scheduled, r.config, random, options);
  } catch (const std::exception& e) {
    return fmt::format("schedule: {}", e.what());
  }
}

// Checks a layer; a failure is made as small as it stays one, and its text kept.
void require_right(const RandomLayer& layer, const test::CheckOptions& options, const std::string& name) {
  std::string problem = check(layer, options);
  if (problem.empty()) return;
  RandomLayer smallest = layer;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const RandomLayer& next : test::smaller(smallest)) {
      const std::string again = check(next, options);
      if (again.empty()) continue;
      smallest = next;
      problem = again;
      smaller = true;
      break;
    }
  }
  const auto folder = test::binary_dir() / "failures";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / (name + ".txt")) << to_text(smallest) << "\n" << problem << "\n";
  FAIL("kept in " << (folder / (name + ".txt")).string() << "\n" << to_text(smallest) << "\n" << problem);
}

}  // namespace

TEST_CASE("random tilings of random layers compute what the layers define", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(40); ++round) {
    const auto layer = test::random_layer(random, test::random_byte_config(random));
    require_right(layer, {.every_pass = round % 4 == 0}, fmt::format("layer_{}", round));
  }
}

TEST_CASE("random layers agree on every machine, the timed ones to the cycle", "[property]") {
  std::mt19937_64 random(Catch::rngSeed() + 1);
  for (int round = 0; round < test::rounds(8); ++round) {
    const auto layer = test::random_layer(random, isa::Config::vta_default());
    require_right(layer, {.devices = {"fsim:", "systemc:", "rtl:"}}, fmt::format("timed_layer_{}", round));
  }
}

TEST_CASE("random schedules of a matrix multiply compute it", "[property]") {
  std::mt19937_64 random(Catch::rngSeed() + 2);
  int compiled = 0;
  for (int round = 0; round < test::rounds(60); ++round) {
    const bool timed = round % 30 == 0;
    const auto config = timed ? isa::Config::vta_default() : test::random_byte_config(random);
    const auto matmul = test::random_matmul(random, config);
    const auto schedule = test::random_matmul_schedule(matmul, random, config);
    INFO("round " << round << " on " << config.name() << "\n"
                  << config.to_json().dump() << "\n"
                  << to_cpp(schedule.trace()));
    test::CheckOptions options{.every_pass = round % 3 == 0};
    if (timed) options.devices = {"fsim:", "systemc:", "rtl:"};
    const std::string problem = test::check_compiled(matmul, schedule.function(), config, random, options);
    // Too large for the scratchpads is no failure; that it is most often is.
    if (problem.find("compute it in smaller pieces") != std::string::npos) continue;
    REQUIRE(problem == "");
    ++compiled;
  }
  CHECK(compiled > test::rounds(30));
}

TEST_CASE("random elementwise layers compute what they define", "[property]") {
  std::mt19937_64 random(Catch::rngSeed() + 4);
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < test::rounds(40); ++round) {
    const bool timed = round % 20 == 0;
    const auto config = timed ? isa::Config::vta_default() : test::random_byte_config(random);
    const ops::Elementwise layer = test::random_elementwise(random, pick(1, 3000));
    const ops::ElementwiseTiling request{pick(0, 1) * pick(1, 9), static_cast<int>(pick(0, 3))};
    ops::ElementwiseTiling tiling;
    try {
      tiling = ops::search_elementwise(layer, config, request).tiling;
    } catch (const Error& error) {
      UNSCOPED_INFO(error.what() << test::to_text(layer));
      const ops::ElementwiseCopies copies = ops::copies_of(layer);
      const auto depth = static_cast<int64_t>(config.depth(isa::Memory::kAcc).count());
      const int64_t tiles = std::max<int64_t>(1, request.tiles);
      CHECK(tiles * (copies.loads + copies.made) > depth / std::max(1, request.threads));
      continue;
    }
    INFO("round " << round << " on " << config.to_json().dump() << "\n"
                  << test::to_text(layer) << "tiles of " << tiling.tiles << ", " << tiling.threads << " threads");
    test::CheckOptions options{.every_pass = round % 2 == 0};
    if (timed) options.devices = {"fsim:", "systemc:", "rtl:"};
    const auto scheduled = ops::schedule_elementwise(layer, tiling, config).function();
    REQUIRE(test::check_compiled(ops::elementwise(layer, config), scheduled, config, random, options) == "");
  }
}

TEST_CASE("no other tiling is faster than the one that is chosen", "[property]") {
  std::mt19937_64 random(Catch::rngSeed() + 5);
  for (int round = 0; round < test::rounds(4); ++round) {
    const isa::Config config = isa::Config::vta_default();
    RandomLayer layer = test::random_layer(random, config);
    ops::Layer& l = layer.layer;
    const auto cycles = [&] { return static_cast<double>(vta::estimate_cycles(ops::compile_layer(l, config), {})); };
    l.mapping = ops::map_vta_conv2d(l.shape, l.epilogue, config);
    const double chosen = cycles();
    for (int i = 0; i < 20; ++i) {
      const auto tiling = test::random_tiling(random, layer);
      if (!tiling || tiling->threads > 2) continue;  // more are not looked for
      l.mapping = *tiling;
      INFO("round " << round << ", chosen " << chosen << "\n" << test::to_text(layer));
      CHECK(chosen <= 1.1 * cycles() + 50);
    }
  }
}

TEST_CASE("the same layer makes the same program, whatever was compiled before", "[property]") {
  std::mt19937_64 random(Catch::rngSeed() + 3);
  std::vector<RandomLayer> layers;
  std::vector<std::string> programs;
  for (int i = 0; i < 10; ++i) {
    layers.push_back(test::random_layer(random, test::random_byte_config(random)));
    programs.push_back(disassemble(ops::compile_layer(layers.back().layer, layers.back().config)));
  }
  for (size_t i = layers.size(); i-- > 0;) {
    CHECK(disassemble(ops::compile_layer(layers[i].layer, layers[i].config)) == programs[i]);
  }
}

}  // namespace vantage::test::backend_vta_property_test
