// Programs as the published compiler made them: they are convolutions, and take the times of its own.
#include "workload/published_conv.h"

#include <fmt/format.h>

#include <random>

#include "driver/open/open.h"
#include "hw/isa/config_name.h"
#include "hw/program/bundle.h"
#include "sim/published/event_model.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"
#include "workload/published_times.h"

namespace vantage::test::workload_published_conv_test {

using namespace vantage;
using workload::PublishedTiling;
using Threads = PublishedTiling::Threads;

namespace {

struct Times {
  uint64_t device, host;
  bool operator==(const Times&) const = default;
};

Times times_of(const std::vector<isa::Insn>& insns, const isa::Config& config) {
  const auto timing = sim::PublishedTiming::find("pynq-z1-1x16");
  sim::EventModel model(config, timing);
  std::array<size_t, isa::kAllStages.size()> all;
  all.fill(insns.size());
  return {sim::whole(model.run(insns, all).end).count(), sim::whole(timing.host_insn * insns.size()).count()};
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

TEST_CASE("every published layer's time is within half a percent", "[unit]") {
  const auto times = workload::PublishedTimes::find("resnet18-pynq-z1");
  REQUIRE(times.layers.size() == workload::resnet18_layers().size());
  for (const auto& layer : times.layers) {
    INFO(layer.layer.name);
    const auto conv = workload::published_conv(layer.layer.shape, {.shift = 8}, layer.tiling, times.config);
    const Times t = times_of(conv.timed.insns, times.config);
    CHECK(std::abs(static_cast<double>(t.device + t.host) / static_cast<double>(layer.cycles.count()) - 1) < 0.005);
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
    CHECK(times_of(recorded, bundle.config) == times_of(rebuilt.timed.insns, bundle.config));
    CHECK(recorded.size() == rebuilt.timed.insns.size());
  }
}

TEST_CASE("random shapes and tilings give convolutions", "[property]") {
  const isa::Config config = isa::Config::vta_default();
  const auto machine = driver::open_accelerator("published:", config);
  std::mt19937_64 random(20261124);
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
                      .pad = one_of({0, 1})};
    const int64_t rows = tiling.height * (by_rows ? 2 : 1) * one_of({1, 2}), columns = tiling.width * one_of({1, 2});
    shape.height = (rows - 1) * shape.stride + shape.kernel_h - 2 * shape.pad;
    shape.width = (columns - 1) * shape.stride + shape.kernel_w - 2 * shape.pad;
    if (shape.height < 1 || shape.width < 1) continue;
    INFO(fmt::format("{}x{}x{} to {}, {}x{}, stride {}, pad {}; tiles {}x{}, {} and {} blocks, {}", shape.in_channels,
                     shape.height, shape.width, shape.out_channels, shape.kernel_h, shape.kernel_w, shape.stride,
                     shape.pad, tiling.height, tiling.width, tiling.out_blocks, tiling.in_blocks,
                     by_rows ? "by rows" : "by channels"));
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
  CHECK_THAT(error_of(shape, {.height = 3}), ContainsSubstring("do not divide 8x8, 2 and 2"));
  CHECK_THAT(error_of(shape, {.height = 8, .threads = Threads::kRows}), ContainsSubstring("do not divide"));
  CHECK_THAT(error_of(shape, {.out_blocks = 2}), ContainsSubstring("do not divide"));
  CHECK_THAT(error_of(with([](Conv2dShape& s) { s.height = s.width = 64; }), {.height = 64, .width = 64}),
             ContainsSubstring("do not fit the 2048 of inp"));
  CHECK_THAT(ERROR_OF(workload::published_conv(shape, {.bias = true}, {}, isa::Config::vta_default())),
             ContainsSubstring("no bias"));
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
  CHECK_THAT(ERROR_OF(workload::PublishedTimes::find("resnet18")),
             ContainsSubstring("no published times of that name"));
}

}  // namespace vantage::test::workload_published_conv_test
