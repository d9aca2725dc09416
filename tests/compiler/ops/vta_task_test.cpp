// Tasks: their texts, and that tasks which are alike take as long.
#include "compiler/ops/vta_task.h"

#include "base/json.h"
#include "compiler/ops/conv2d/vta_cost.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/random_layer.h"
#include "tests/compiler/ops/elementwise/random_elementwise.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_ops_vta_task_test {

using namespace vantage;
using ops::VtaTask;

namespace {

VtaTask random_task(std::mt19937_64& random, const isa::Config& config) {
  switch (random() % 4) {
    case 0: {
      const auto side = [&] { return static_cast<int64_t>(4 + random() % 9); };
      ops::VtaPool pool{
          .batch = 1, .channels = static_cast<int64_t>(1 + random() % 40), .height = side(), .width = side()};
      pool.kernel_h = pool.kernel_w = 2 + static_cast<int64_t>(random() % 2);
      pool.stride = 1 + static_cast<int64_t>(random() % 2);
      if (random() % 2 == 0) pool.least = 0;
      return pool;
    }
    case 1: return random_elementwise(random, static_cast<int64_t>(1 + random() % 300));
    default: break;
  }
  const ops::Layer layer = random_layer(random, config).layer;
  return ops::VtaConv2d{layer.shape, layer.epilogue};
}

bool has_room(const VtaTask& task, const isa::Config& config) {
  try {
    ops::require_room(task, config);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a task is read as it was written", "[property]") {
  for (uint64_t seed = 0; seed < test::seeds(200); ++seed) {
    std::mt19937_64 random(seed);
    const VtaTask task = random_task(random, random_byte_config(random));
    const std::string text = ops::key(task);
    INFO(text);
    CHECK(ops::parse_task(parse_json(text, "task"), "task") == task);
  }
}

TEST_CASE("tasks that are alike take the same instructions, bytes and cycles", "[property]") {
  const isa::Config config = isa::Config::vta_default();
  for (uint64_t seed = 0; seed < test::seeds(10); ++seed) {
    std::mt19937_64 random(seed);
    const VtaTask task = random_task(random, config), other = ops::like(task);
    INFO(ops::key(task));
    CHECK(ops::like(other) == other);
    const ops::VtaProgram one = ops::compile_task(task, config, {}), two = ops::compile_task(other, config, {});
    CHECK(one.cycles == two.cycles);
    CHECK(one.bound == two.bound);
    CHECK(one.binds == two.binds);
    CHECK(one.program.insns.size() == two.program.insns.size());
  }
}

TEST_CASE("a program takes as long on a core that has no more room than it needs", "[property]") {
  for (uint64_t seed = 0; seed < test::seeds(20); ++seed) {
    std::mt19937_64 random(seed);
    const isa::Config config = seed % 2 == 0 ? isa::Config::vta_default() : random_byte_config(random);
    const VtaTask task = random_task(random, config);
    const auto* conv = std::get_if<ops::VtaConv2d>(&task);
    if (conv == nullptr || !has_room(task, config)) continue;
    const ops::SearchResult found = ops::search_vta_conv2d(conv->shape, conv->epilogue, config);
    const auto find = [&](const Conv2dShape&, const ops::Epilogue&) { return found; };
    const ops::VtaProgram roomy = ops::compile_task(task, config, {}, find);
    const ops::ScratchpadNeeds have = ops::depths_of(config), needs = roomy.needs;
    INFO(ops::key(task) << " on " << config.name() << " needs " << needs.uop << " " << needs.inp << " " << needs.wgt
                        << " " << needs.acc);
    isa::ConfigKeys keys = config.keys();
    keys.log_uop_buff_size -= have.uop - needs.uop;
    keys.log_inp_buff_size -= have.inp - needs.inp;
    keys.log_wgt_buff_size -= have.wgt - needs.wgt;
    keys.log_acc_buff_size -= have.acc - needs.acc;
    const isa::Config small = isa::Config::from_keys(keys, "small");
    REQUIRE(ops::fits(conv->shape, conv->epilogue, found.mapping, small));
    const ops::VtaProgram tight = ops::compile_task(task, small, {}, find);
    CHECK(tight.program.insns.size() == roomy.program.insns.size());
    CHECK(ops::VtaConv2dCost(conv->shape, conv->epilogue, small, {}).cycles(found.mapping) == roomy.cycles);
    CHECK(tight.needs == needs);
  }
}

TEST_CASE("a layer whose last tiles are much smaller than the others is mapped", "[unit]") {
  const VtaTask task = ops::parse_task(
      parse_json(R"({"op": "conv2d", "kernel": [2, 2], "stride": [3, 3], "pad": [1, 2, 3, 1], "dilation": [1, 1],
                     "batch": 3, "in_channels": 14, "height": 5, "width": 4, "out_channels": 18, "channelwise": false,
                     "epilogue": {"bias": true, "shift": 7, "clip": [-91, 45], "cut": 0, "multiplier": -83,
                                  "multipliers": false, "addend": true, "addend_factor": 64}})",
                 "task"),
      "task");
  isa::ConfigKeys keys = isa::Config::vta_default().keys();
  keys.log_block_in = 4, keys.log_block_out = 3;
  keys.log_uop_buff_size = 7, keys.log_inp_buff_size = 12, keys.log_wgt_buff_size = 13, keys.log_acc_buff_size = 11;
  const ops::VtaProgram program = ops::compile_task(task, isa::Config::from_keys(keys, "small"), {});
  CHECK(program.cycles >= program.bound);
}

TEST_CASE("a layer that begins from what is added, as it is, is mapped", "[unit]") {
  ops::Epilogue epilogue;
  epilogue.has_addend = true;
  REQUIRE(epilogue.starts_from_addend());
  const Conv2dShape shape{.batch = 1, .in_channels = 16, .height = 6, .width = 6, .out_channels = 16};
  const ops::VtaProgram program = ops::compile_task(ops::VtaConv2d{shape, epilogue}, isa::Config::vta_default(), {});
  CHECK(program.cycles >= program.bound);
}

TEST_CASE("a multiplier that leaves nothing of the sums is refused", "[unit]") {
  ops::Epilogue epilogue;
  epilogue.multiplier = 0;
  CHECK_THAT(ERROR_OF(ops::check_epilogue(epilogue)), ContainsSubstring("multiplier is 0"));
}

TEST_CASE("what is no task is refused, with the key", "[unit]") {
  const auto error_of = [](const Json& json) {
    return ERROR_OF(ops::parse_task(parse_json(json.dump(), "request"), "request"));
  };
  const auto with = [&](const char* key, const Json& value) {
    Json json = ops::to_json(ops::VtaConv2d{{1, 16, 8, 8, 16, 3, 3, 1, 1}, {}});
    json[key] = value;
    return error_of(json);
  };
  CHECK_THAT(with("op", "conv3d"), ContainsSubstring("request: op"));
  CHECK_THAT(with("batch", 0), ContainsSubstring("request: batch"));
  CHECK_THAT(with("kernel", {1}), ContainsSubstring("two numbers"));
  CHECK_THAT(with("pad", {1, 1}), ContainsSubstring("four numbers"));
  CHECK_THAT(with("kernel", {30, 3}), ContainsSubstring("kernel"));
  CHECK_THAT(with("bach", 1), ContainsSubstring("batch"));
  const Json steps = {
      {"op", "elementwise"}, {"size", 4}, {"operands", 1}, {"steps", {{{"op", "add"}, {"a", 1}, {"b", 0}}}}};
  CHECK_THAT(error_of(steps), ContainsSubstring("steps[0]: a"));
}

}  // namespace vantage::test::compiler_ops_vta_task_test
