// Mappings: their file, what is refused of it, and what a search says of the one that it finds.
#include "base/json.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "compiler/ops/conv2d/vta_cost.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"
#include "compiler/ops/conv2d/vta_neighbours.h"
#include "compiler/ops/conv2d/vta_rough_cost.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "compiler/ops/conv2d/vta_tilings.h"
#include "compiler/ops/conv2d/vta_work.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/random_layer.h"
#include "tests/compiler/refusals.h"
#include "tests/support/effort.h"
#include "tests/support/golden.h"
#include "tests/support/random_memory.h"

namespace vantage::test::ops_mapping_test {

using namespace vantage;

namespace {

const isa::Config kConfig = isa::Config::vta_default();
const Conv2dShape kShape = {1, 64, 14, 14, 64, 3, 3, 1, 1};
const ops::Epilogue kEpilogue = {true, 8, 0, 127};

void check(const std::string& text) {
  ops::check_mapping(ops::parse_mapping(text, "m.json"), kShape, kEpilogue, kConfig, "m.json");
}

}  // namespace

TEST_CASE("a mapping's file says all of it", "[unit]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < 100; ++round) {
    const auto layer = test::random_layer(random, test::random_byte_config(random));
    const ops::VtaConv2dMapping& mapping = layer.layer.mapping;
    CHECK(ops::parse_mapping(ops::to_json(mapping).dump(), "m.json") == mapping);
  }
}

TEST_CASE("what is no mapping for a layer is refused with what would be one", "[golden]") {
  test::Refusals list;
  list.add("no JSON", [] { check("{"); });
  list.add("no parts", [] { check(R"({"parts": []})"); });
  list.add("another key", [] { check(R"({"parts": [{"tile": {"oc": 2}, "thread": 2}]})"); });
  list.add("a side that there is not", [] { check(R"({"parts": [{"tile": {"c": 2}}]})"); });
  list.add("a side of nothing", [] { check(R"({"parts": [{"tile": {"oc": 0}}]})"); });
  list.add("a span that ends before it begins", [] { check(R"({"parts": [{"oc": [2, 1]}]})"); });
  list.add("too many threads", [] { check(R"({"parts": [{"threads": 40}]})"); });
  list.add("no place for sums", [] { check(R"({"parts": [{"sum_places": 0}]})"); });
  list.add("places that are no number", [] { check(R"({"parts": [{"chunk_places": true}]})"); });
  list.add("one thread in turn", [] { check(R"({"parts": [{"threads_in_turn": true}]})"); });
  list.add("shared weights with one thread", [] { check(R"({"parts": [{"weights_shared": true}]})"); });
  list.add("rows beyond the output", [] { check(R"({"parts": [{"h": [0, 20]}]})"); });
  list.add("a row twice", [] { check(R"({"parts": [{"h": [0, 8]}, {"h": [7, 14]}]})"); });
  list.add("rows left out", [] { check(R"({"parts": [{"h": [0, 8]}, {"h": [9, 14]}]})"); });
  list.add("tiles that do not fit",
           [] { check(R"({"parts": [{"tile": {"oc": 4, "h": 14, "w": 14, "ic": 4}, "threads": 4}]})"); });
  list.add("rows in pieces of two lengths", [] { check(R"({"parts": [{"tile": {"oc": 1, "w": 4}}]})"); });
  const auto check_bordered = [](const char* text) {
    const Conv2dShape shape = {1, 16, 4, 4, 16, 1, 1, 1, 2};
    ops::check_mapping(ops::parse_mapping(text, "m.json"), shape, {}, kConfig, "m.json");
  };
  list.add("rows of zeros alone", [&] { check_bordered(R"({"parts": [{"tile": {"h": 2, "w": 8}}]})"); });
  list.add("a part of zeros alone",
           [&] { check_bordered(R"({"parts": [{"h": [0, 2], "tile": {"h": 20, "w": 8}}]})"); });
  list.add("columns of zeros alone", [&] { check_bordered(R"({"parts": [{"tile": {"h": 8, "w": 2}}]})"); });
  list.add("pixels picked of all", [] { check(R"({"parts": [{"picks_pixels": true}]})"); });
  list.add("a bias that there is not", [] {
    ops::check_mapping(ops::parse_mapping(R"({"parts": [{"bias_resident": true}]})", "m.json"), kShape, {}, kConfig,
                       "m.json");
  });
  const std::string difference = test::compare_golden("refusals_mapping.txt", list.text());
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("tiles longer than what they cut are whole", "[unit]") {
  check(R"({"parts": [{"tile": {"oc": 9, "h": 2, "w": 100, "ic": 9}}]})");
}

TEST_CASE("neighbours of a mapping are mappings of the layer", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(30); ++round) {
    const auto r = test::random_layer(random, test::random_byte_config(random));
    const ops::Layer& l = r.layer;
    ops::VtaConv2dMapping mapping = l.mapping;
    for (int step = 0; step < 6; ++step) {
      const auto all = ops::neighbours(mapping, {l.shape, l.epilogue, r.config}, {});
      INFO("round " << round << "\n" << test::to_text(r) << "\nfrom " << ops::to_json(mapping).dump());
      for (const ops::VtaConv2dMapping& next : all) {
        CHECK(!(next == mapping));
        CHECK_NOTHROW(ops::check_mapping(next, l.shape, l.epilogue, r.config, ops::to_json(next).dump()));
      }
      if (all.empty()) break;
      // Those with more parts are the last.
      mapping = all[all.size() - 1 - random() % std::min<size_t>(all.size(), 8)];
    }
  }
}

TEST_CASE("a mapping costs what its program takes, and no less than the bound", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(60); ++round) {
    const auto r = test::random_layer(random, test::random_byte_config(random));
    const ops::Layer& l = r.layer;
    const MemoryTiming memory = round % 3 == 0 ? MemoryTiming() : test::random_memory(random());
    const uint64_t cycles = vta::estimate_cycles(ops::compile_layer(l, r.config), memory);
    INFO("round " << round << "\n" << test::to_text(r) << "\n" << memory.to_json().dump());
    CHECK(*ops::VtaConv2dCost(l.shape, l.epilogue, r.config, memory).cycles(l.mapping) == cycles);
    CHECK(vta::bound_of(ops::vta_conv2d_work(l.shape, l.epilogue, r.config), r.config, memory).cycles() <=
          static_cast<int64_t>(cycles));
  }
}

TEST_CASE("a chunk of a product's resident rows is one load and one GEMM", "[unit]") {
  const Conv2dShape product = {.batch = 8, .in_channels = 64, .out_channels = 16};
  REQUIRE(product.is_product());
  const auto instructions = [&](int64_t chunk) {
    const ops::VtaConv2dTiling t = {.n = 8, .ic = chunk, .input_resident = true, .weights_resident = true};
    int loads = 0, gemms = 0;
    for (const isa::Insn& insn : ops::compile_layer({product, kEpilogue, t}, kConfig).insns) {
      const auto* load = std::get_if<isa::Load>(&insn);
      const auto* gemm = std::get_if<isa::Gemm>(&insn);
      if (load != nullptr && load->transfer.memory == isa::Memory::kInp && load->transfer.x_size > 0) ++loads;
      if (gemm != nullptr && !gemm->reset) ++gemms;
    }
    return std::pair(loads, gemms);
  };
  CHECK(instructions(4) == std::pair(1, 1));
  CHECK(instructions(2) == std::pair(2, 2));
  CHECK(instructions(1) == std::pair(4, 4));
  CHECK(instructions(3).second == 2);
}

TEST_CASE("where micro-ops are few, products with zeros are made if that is faster", "[unit]") {
  const Conv2dShape shape = {1, 64, 7, 7, 64, 3, 3, 1, 1};
  isa::ConfigKeys keys = kConfig.keys();
  keys.log_uop_buff_size = 9;
  const isa::Config config = isa::Config::from_keys(keys, "few micro-ops");
  ops::VtaConv2dMapping mapping = ops::search_vta_conv2d(shape, kEpilogue, config).mapping;
  const MemoryTiming memory;
  ops::VtaConv2dCost cost(shape, kEpilogue, config, memory);
  const uint64_t cycles = *cost.cycles(mapping);
  mapping.skips_zeros = !mapping.skips_zeros;
  CHECK(*cost.cycles(mapping) >= cycles);
}

TEST_CASE("tilings are rated as each of them is alone, the best first", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const ops::TransferCost cost({}, kConfig);
  for (int round = 0; round < test::rounds(10); ++round) {
    const auto r = test::random_layer(random, kConfig);
    const Conv2dShape& shape = r.layer.shape;
    const ops::Epilogue& epilogue = r.layer.epilogue;
    const bool that_fit = round % 2 == 0;
    const auto rated = ops::rated_tilings(shape, epilogue, kConfig, {}, {}, that_fit);
    INFO(test::to_text(r));
    int64_t before = 0;
    for (size_t i = 0; i < rated.size(); i += 1 + rated.size() / 100) {
      const ops::VtaConv2dPart part{.tiling = rated[i].tiling};
      const ops::ScratchpadUse use = ops::scratchpad_use(shape, epilogue, part, kConfig);
      CHECK(std::tuple(use.inp, use.wgt, use.acc) == std::tuple(rated[i].use.inp, rated[i].use.wgt, rated[i].use.acc));
      CHECK(ops::load_fault(shape, part, kConfig) == ops::LoadFault::kNone);
      const ops::TiledLayer layer(shape, part, kConfig);
      const ops::RoughCost alone = ops::RoughCosts(layer, epilogue, kConfig, cost).of(rated[i].tiling);
      CHECK(alone.cycles == rated[i].rough.cycles);
      CHECK(alone.instructions == rated[i].rough.instructions);
      CHECK(before <= alone.expected());
      before = alone.expected();
      const auto fitted = ops::fitted(rated[i], ops::ScratchpadRoom(kConfig));
      if (that_fit) REQUIRE(fitted);
      if (fitted) CHECK(ops::fits(shape, epilogue, ops::VtaConv2dPart{.tiling = *fitted}, kConfig));
    }
  }
}

TEST_CASE("a layer is mapped of which some tilings would have tiles of zeros alone", "[unit]") {
  Conv2dShape shape = {1, 16, 5, 7, 16, 1, 1};
  shape.pad = {3, 2, 3, 2};
  const auto found = ops::search_vta_conv2d(shape, kEpilogue, kConfig, {}, {}, ops::SearchEffort::kBrief);
  CHECK_NOTHROW(ops::check_mapping(found.mapping, shape, kEpilogue, kConfig, "found"));
  CHECK(found.gap() >= 0);
}

TEST_CASE("the bound of the smallest layer is what it takes, but for a few cycles", "[unit]") {
  for (const bool bias : {false, true}) {
    const ops::Epilogue epilogue = {bias, 8, 0, 127};
    const auto found = ops::search_vta_conv2d({}, epilogue, kConfig);
    INFO(found.cycles << " cycles, bound " << found.bound.cycles());
    CHECK(found.gap() >= 0);
    CHECK(found.gap() < 0.15);
  }
}

TEST_CASE("a first candidate with far more instructions than it seemed to have is not the last", "[unit]") {
  // Few micro-ops have to be loaded again and again, which is seen only once it is compiled.
  const Conv2dShape shape = {1, 512, 7, 7, 512, 3, 3, 1, 1};
  isa::ConfigKeys keys = kConfig.keys();
  keys.log_uop_buff_size = 13;
  keys.log_inp_buff_size = 16;
  keys.log_wgt_buff_size = 14;
  keys.log_acc_buff_size = 16;
  const isa::Config config = isa::Config::from_keys(keys, "few micro-ops");
  const auto found = ops::search_vta_conv2d(shape, kEpilogue, config);
  CHECK(found.weighed > 1);
  CHECK(found.gap() < 0.05);
}

TEST_CASE("a search is the same twice, and its result is as good as it says", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(3); ++round) {
    const auto r = test::random_layer(random, kConfig);
    const Conv2dShape& s = r.layer.shape;
    const auto found = ops::search_vta_conv2d(s, r.layer.epilogue, r.config);
    INFO(test::to_text(r));
    CHECK(ops::search_vta_conv2d(s, r.layer.epilogue, r.config).mapping == found.mapping);
    ops::check_mapping(found.mapping, s, r.layer.epilogue, r.config, "found");
    const Program program = ops::compile_layer({s, r.layer.epilogue, found.mapping}, r.config);
    CHECK(vta::estimate_cycles(program, {}) == found.cycles);
    CHECK(found.gap() >= 0);
    if (found.second_cycles != 0) CHECK(found.second_cycles >= found.cycles);
  }
}

}  // namespace vantage::test::ops_mapping_test
