// What is known of a program on one core is what running it on another gives.
#include "explore/known_programs.h"

#include <random>
#include <set>

#include "base/json.h"
#include "explore/workload.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/random_layer.h"
#include "tests/support/effort.h"

namespace vantage::test::explore_known_programs_test {

using namespace vantage;
using explore::Design;

namespace {

// The same core with scratchpads of other sizes.
Design with_other_scratchpads(std::mt19937_64& random, const isa::Config& config) {
  for (;;) {
    isa::ConfigKeys keys = config.keys();
    for (int isa::ConfigKeys::*size : {&isa::ConfigKeys::log_uop_buff_size, &isa::ConfigKeys::log_inp_buff_size,
                                       &isa::ConfigKeys::log_wgt_buff_size, &isa::ConfigKeys::log_acc_buff_size}) {
      keys.*size = std::clamp(keys.*size + static_cast<int>(random() % 5) - 3, 2, 24);
    }
    try {
      return {isa::Config::from_keys(keys, "a core"), {}};
    } catch (const Error&) {  // too much for a micro-op, or too little for an element
    }
  }
}

// Its text, or the error's.
std::string came_of(const ops::VtaTask& task, const Design& design, ops::SearchEffort effort,
                    explore::KnownPrograms& known) {
  try {
    const explore::EvaluateOptions options{.effort = effort, .known = &known};
    return explore::to_json(explore::evaluate(task, design, options)).dump();
  } catch (const explore::MachineError&) {
    throw;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("programs that are known from other scratchpads come to what they come to when they are run", "[property]") {
  size_t results = 0, run = 0;
  for (uint64_t seed = 0; seed < test::seeds(6); ++seed) {
    std::mt19937_64 random(seed);
    const isa::Config config = seed % 2 == 0 ? isa::Config::vta_default() : random_byte_config(random);
    const ops::Layer layer = random_layer(random, config).layer;
    const ops::VtaTask task = ops::VtaConv2d{layer.shape, layer.epilogue};
    const auto effort = seed % 3 == 0 ? ops::SearchEffort::kQuick : ops::SearchEffort::kBrief;
    explore::KnownPrograms known;
    for (int i = 0; i < 10; ++i) {
      const Design design = with_other_scratchpads(random, config);
      INFO(seed << ": " << ops::key(task) << " on " << design.config.name());
      explore::KnownPrograms nothing;
      const std::string fresh = came_of(task, design, effort, nothing);
      CHECK(came_of(task, design, effort, known) == fresh);
      results += fresh.starts_with('{') ? 1 : 0;
    }
    run += known.size();
  }
  INFO(results << " results, of which " << run << " were run");
  CHECK(run < results);
}

// Which depends on how many accumulators there are, though the programs are the same.
TEST_CASE("of a known program the bound is the design's own", "[unit]") {
  isa::ConfigKeys keys = isa::Config::vta_default().keys();
  keys.log_uop_buff_size = 9, keys.log_inp_buff_size = 8, keys.log_wgt_buff_size = 12;
  explore::KnownPrograms known;
  std::set<uint64_t> bounds;
  for (const int log_acc : {12, 13, 14}) {
    keys.log_acc_buff_size = log_acc;
    const Design design{isa::Config::from_keys(keys, "a core"), {}};
    const auto task = explore::find_workload("gemm:128x64x256").layers(design).accelerator.at(0).task;
    explore::KnownPrograms nothing;
    const std::string fresh = came_of(task, design, ops::SearchEffort::kQuick, nothing);
    CHECK(came_of(task, design, ops::SearchEffort::kQuick, known) == fresh);
    bounds.insert(parse_json(fresh, "a result").at("bound").get<uint64_t>());
  }
  CHECK(bounds.size() > 1);
}

}  // namespace vantage::test::explore_known_programs_test
