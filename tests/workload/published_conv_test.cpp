// Programs as the published compiler made them: they are convolutions, and take the times of its own.
#include "workload/published_conv.h"

#include <fmt/format.h>

#include <map>
#include <random>
#include <tuple>

#include "driver/open/open.h"
#include "hw/isa/config_name.h"
#include "hw/program/bundle.h"
#include "sim/published/event_model.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "tests/support/temporary.h"
#include "workload/published_times.h"

namespace vantage::test::workload_published_conv_test {

using namespace vantage;
using workload::PublishedTiling;
using Threads = PublishedTiling::Threads;

namespace {

sim::EventModel::Times times_of(const std::vector<isa::Insn>& insns, const isa::Config& config) {
  const auto timing = sim::PublishedTiming::find("pynq-z1-1x16");
  std::array<size_t, isa::kAllStages.size()> all;
  all.fill(insns.size());
  return sim::EventModel(config, timing).run(insns, all);
}

// What a recorded program leaves out when it is timed: micro-ops that are on the chip, and the bias. The next
// instruction of the stage has the tokens.
std::vector<isa::Insn> without_bias_and_micro_ops(const Bundle& bundle) {
  const isa::Codec codec(bundle.config);
  std::vector<isa::Insn> kept;
  std::array<isa::Deps, isa::kAllStages.size()> handed{};
  for (const isa::Words& words : bundle.insns()) {
    isa::Insn insn = codec.decode(words).insn.value();
    isa::Deps& carried = handed[static_cast<size_t>(isa::stage(insn))];
    isa::Deps& own = isa::deps(insn);
    const auto hand = [](bool& to, bool& from) {
      REQUIRE_FALSE((to && from));  // two tokens do not fit one bit
      to = to || from;
      from = false;
    };
    const auto* load = std::get_if<isa::Load>(&insn);
    const auto* alu = std::get_if<isa::Alu>(&insn);
    const bool brings = load != nullptr && !load->transfer.moves_nothing() &&
                        (load->transfer.memory == isa::Memory::kUop || load->transfer.memory == isa::Memory::kAcc);
    const bool leave_out = brings || (alu != nullptr && alu->op == isa::AluOp::kAdd && !alu->use_imm);
    isa::Deps& from = leave_out ? own : carried;
    isa::Deps& to = leave_out ? carried : own;
    hand(to.pop_prev, from.pop_prev);
    hand(to.pop_next, from.pop_next);
    hand(to.push_prev, from.push_prev);
    hand(to.push_next, from.push_next);
    if (!leave_out) kept.push_back(insn);
  }
  return kept;
}

const workload::PublishedLayer& layer_of(const workload::PublishedTimes& times, const std::string& name) {
  for (const auto& layer : times.layers) {
    if (layer.layer.name == name) return layer;
  }
  throw std::out_of_range(name);
}

std::string error_of(const Conv2dShape& shape, const PublishedTiling& tiling,
                     const isa::Config& config = isa::Config::vta_default()) {
  return ERROR_OF(workload::published_conv(shape, {}, tiling, config));
}

}  // namespace

TEST_CASE("every published layer's time is the model's that was published with the fit, within half a percent",
          "[unit]") {
  // To the cycle, by whoever fitted the six numbers
  const std::map<std::string, uint64_t> kModel = {{"C2", 570'344},  {"C3", 297'120}, {"C4", 134'500}, {"C5", 520'050},
                                                  {"C6", 266'357},  {"C7", 102'735}, {"C8", 494'043}, {"C9", 398'042},
                                                  {"C10", 108'424}, {"C11", 736'645}};
  const auto times = workload::PublishedTimes::find("resnet18-pynq-z1");
  REQUIRE(times.layers.size() == workload::resnet18_layers().size());
  for (const auto& layer : times.layers) {
    INFO(layer.layer.name);
    const auto conv = workload::published_conv(layer.layer.shape, {.shift = 8}, layer.tiling, times.config);
    const uint64_t host = 57'900 * conv.timed.insns.size();
    const uint64_t model = (times_of(conv.timed.insns, times.config).end.count() + host + 500) / 1000;
    CHECK(model == kModel.at(layer.layer.name));
    CHECK(std::abs(static_cast<double>(model) / static_cast<double>(layer.cycles.count()) - 1) < 0.005);
  }
}

TEST_CASE("rebuilt programs take what the recorded ones take", "[unit]") {
  const auto folder = test::source_dir() / ".." / "shared" / "bundles";
  if (!std::filesystem::is_directory(folder)) {
    WARN("SKIPPED: no folder " << folder << "; no recorded program was compared with a rebuilt one");
    return;
  }
  const auto published = workload::PublishedTimes::find("resnet18-pynq-z1");
  for (const std::string name : {"C2", "C5", "C10"}) {
    INFO(name);
    const auto& layer = layer_of(published, name);
    const Bundle bundle = load_bundle(folder / ("conv." + name));
    const auto recorded = without_bias_and_micro_ops(bundle);
    const auto rebuilt = workload::published_conv(layer.layer.shape, {.shift = 8}, layer.tiling, bundle.config);
    const auto expected = times_of(recorded, bundle.config), got = times_of(rebuilt.timed.insns, bundle.config);
    REQUIRE(got.retired.size() == expected.retired.size());
    for (size_t i = 0; i < got.retired.size(); ++i) {
      const auto life = [](const sim::RetireRecord& r) { return std::tuple(r.insn, r.stage, r.start, r.end); };
      CHECK(life(got.retired[i]) == life(expected.retired[i]));
    }
    CHECK(got.end == expected.end);
  }
}

TEST_CASE("random shapes and tilings give convolutions", "[property]") {
  const isa::Config config = isa::Config::vta_default();
  const auto machine = driver::open_accelerator("published:", config);
  std::mt19937_64 random = test::generator(20261124);
  const auto one_of = [&](std::initializer_list<int64_t> values) { return values.begin()[random() % values.size()]; };
  for (int made = 0; made < test::rounds(40);) {
    const bool by_rows = random() % 2 == 0;
    const PublishedTiling tiling{.height = one_of({1, 2, 3, 5}),
                                 .width = one_of({1, 2, 3, 7}),
                                 .out_blocks = one_of({1, 2}),
                                 .in_blocks = one_of({1, 2}),
                                 .threads = by_rows ? Threads::kRows : Threads::kChannels};
    Conv2dShape shape{.in_channels = 16 * tiling.in_blocks * one_of({1, 2}),
                      .out_channels = 16 * tiling.out_blocks * (by_rows ? 1 : 2) * one_of({1, 2}),
                      .kernel_h = one_of({1, 2, 3}),
                      .kernel_w = one_of({1, 3}),
                      .stride = one_of({1, 2}),
                      .pad = one_of({0, 1, 2})};
    if (shape.pad.top >= std::min(shape.kernel_h, shape.kernel_w)) continue;
    const int64_t rows = tiling.height * (by_rows ? 2 : 1) * one_of({1, 2}), columns = tiling.width * one_of({1, 2});
    shape.height = (rows - 1) * shape.stride.rows + shape.kernel_h - 2 * shape.pad.top;
    shape.width = (columns - 1) * shape.stride.columns + shape.kernel_w - 2 * shape.pad.left;
    if (shape.height < 1 || shape.width < 1) continue;
    INFO(fmt::format("{}x{}x{} to {}, {}x{}, stride {}, pad {}; tiles {}x{}, {} and {} blocks, {}", shape.in_channels,
                     shape.height, shape.width, shape.out_channels, shape.kernel_h, shape.kernel_w,
                     to_string(shape.stride), to_string(shape.pad), tiling.height, tiling.width, tiling.out_blocks,
                     tiling.in_blocks, by_rows ? "by rows" : "by channels"));
    const auto validated = workload::validate(*machine, {{"random", shape, 1}, Cycles(1), tiling}, random());
    CHECK(validated.difference == "");
    ++made;
  }
}

TEST_CASE("layers and tilings that do not go together are refused", "[unit]") {
  const Conv2dShape shape{
      .in_channels = 32, .height = 8, .width = 8, .out_channels = 32, .kernel_h = 3, .kernel_w = 3, .pad = 1};
  const auto with = [&](auto change) {
    Conv2dShape changed = shape;
    change(changed);
    return changed;
  };
  CHECK_THAT(error_of(with([](Conv2dShape& s) { s.in_channels = 24; }), {}), ContainsSubstring("24 in blocks of 16"));
  CHECK_THAT(error_of(with([](Conv2dShape& s) { s.batch = 2; }), {}), ContainsSubstring("of one image"));
  CHECK_THAT(error_of(shape, {}, isa::config_of_name("4x8_i8w8a32_15_16_16_18")), ContainsSubstring("BATCH of one"));
  CHECK_THAT(error_of(with([](Conv2dShape& s) { s.pad = 3; }), {}), ContainsSubstring("a pad of 3 is no smaller"));
  CHECK_THAT(error_of(shape, {.height = 3}), ContainsSubstring("do not divide 8x8, 2 and 2"));
  CHECK_THAT(error_of(shape, {.height = 8, .threads = Threads::kRows}), ContainsSubstring("do not divide"));
  CHECK_THAT(error_of(shape, {.out_blocks = 2}), ContainsSubstring("do not divide"));
  CHECK_THAT(error_of(with([](Conv2dShape& s) { s.height = s.width = 64; }), {.height = 64, .width = 64}),
             ContainsSubstring("do not fit the 2048 of inp"));
  CHECK_THAT(ERROR_OF(workload::published_conv(shape, {.bias = true}, {}, isa::Config::vta_default())),
             ContainsSubstring("no bias"));
}

TEST_CASE("the cache's misses move the layers that the fit saw by a hundredth or two", "[unit]") {
  const auto times = workload::PublishedTimes::find("resnet18-pynq-z1");
  const auto machine = driver::open_accelerator("published:pynq-z1-1x16-cache", times.config);
  const auto plain = driver::open_accelerator("published:", times.config);
  for (const std::string name : {"C4", "C7", "C10"}) {
    const auto& layer = layer_of(times, name);
    const auto with = workload::validate(*machine, layer, 1), without = workload::validate(*plain, layer, 1);
    INFO(name << ": " << with.device.count() << " and " << without.device.count());
    CHECK(with.device >= without.device);
    CHECK(with.device.count() * 100 <= without.device.count() * 102);
  }
}

TEST_CASE("published times that make no sense are refused by key", "[unit]") {
  const auto error = [](const std::string& text) { return ERROR_OF(workload::PublishedTimes::parse(text, "t.json")); };
  const std::string layers = R"("layers": [{"layer": "C2", "cycles": 5, "tile": {"height": 8, "width": 56,
      "out_blocks": 2, "in_blocks": 1, "threads": "channels"}}])";
  CHECK(workload::PublishedTimes::parse(R"({"machine": "pynq-z1-1x16", "source": "x", )" + layers + "}", "t.json")
            .layers.size() == 1);
  CHECK_THAT(error("{}"), ContainsSubstring("t.json: the key \"machine\" is missing"));
  CHECK_THAT(error(R"({"machine": "pynq", "source": "x", "layers": []})"),
             ContainsSubstring("t.json: machine: pynq: no such file, and no published machine of that name"));
  CHECK_THAT(error(R"({"machine": "pynq-z1-1x16", "source": "x", "layers": [{"layer": "C1"}]})"),
             ContainsSubstring("layer is \"C1\""));
  CHECK_THAT(error(R"({"machine": "pynq-z1-1x16", "source": "x", "layers": []})"),
             ContainsSubstring("one layer or more"));
  CHECK_THAT(error(R"({"machine": "pynq-z1-1x16", "source": "x", )" + layers.substr(0, layers.size() - 1) + ", " +
                   layers.substr(layers.find('{')) + "}"),
             ContainsSubstring("t.json: layers[1]: layer is \"C2\", expected each layer once"));
  std::string three = layers;
  three.replace(three.find("\"height\": 8"), 11, "\"height\": 3");
  CHECK_THAT(error(R"({"machine": "pynq-z1-1x16", "source": "x", )" + three + "}"),
             ContainsSubstring("t.json: layers[0]: tile: tiles of 3x56 pixels"));
  CHECK_THAT(ERROR_OF(workload::PublishedTimes::find("resnet18")),
             ContainsSubstring("no published times of that name"));
}

}  // namespace vantage::test::workload_published_conv_test
