#include "compiler/graph/quantize/quantize.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/quantize/requantize.h"
#include "compiler/graph/quantize/scale.h"
#include "compiler/graph/quantize/smooth.h"
#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/text.h"
#include "tests/catch.h"
#include "tests/compiler/network/random_network.h"
#include "tests/support/effort.h"
#include "tests/support/golden.h"

namespace vantage::test::graph_quantize_test {

using namespace vantage;
using namespace vantage::graph;

namespace {

double snr_db(const Tensor& wanted, const Tensor& got) {
  double signal = 0, noise = 0;
  for (int64_t e = 0; e < wanted.size(); ++e) {
    signal += wanted.number(e) * wanted.number(e);
    noise += (wanted.number(e) - got.number(e)) * (wanted.number(e) - got.number(e));
  }
  return noise == 0 ? 200 : 10 * std::log10(signal / noise);
}

}  // namespace

TEST_CASE("a requantization says its ratio of scales, and never overflows", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto draw = [&](double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(random() >> 11), -53);
  };
  int found = 0;
  for (int round = 0; round < test::rounds(2000); ++round) {
    const Scaling scaling = round % 2 == 0 ? Scaling::kPowerOfTwo : Scaling::kMultiplyShift;
    const auto scale = [&](double low, double high) {
      const double exponent = draw(low, high);
      return std::exp2(scaling == Scaling::kPowerOfTwo ? std::round(exponent) : exponent);
    };
    SumsRange sums;
    for (int64_t i = 1 + static_cast<int64_t>(random() % 3); i > 0; --i) {
      sums.scales.push_back(scale(-14, -4));
      sums.most.push_back(std::floor(std::exp2(draw(4, 24))));
    }
    std::optional<double> addend;
    if (random() % 2 == 0) addend = scale(-8, 0);
    const double output = scale(-6, 0);
    const auto r = requantization(scaling, sums, output, addend, 32);
    if (!r) continue;
    ++found;
    for (size_t i = 0; i < sums.scales.size(); ++i) {
      const int64_t multiplier = r->multipliers.empty() ? 1 : r->multipliers[r->multipliers.size() == 1 ? 0 : i];
      for (const double share : {-1.0, draw(-1, 1), 1.0}) {
        const auto sum = static_cast<int64_t>(sums.most[i] * share) + r->rounding[i];
        const int64_t other = addend ? static_cast<int64_t>(random() % 256) - 128 : 0;
        const int64_t scaled = (sum >> r->before) * multiplier, all = scaled + other * r->addend_multiplier;
        for (const int64_t value : {sum, scaled, all}) CHECK((value >= INT32_MIN && value <= INT32_MAX));
        // Within what multipliers of few bits are off, and one step of rounding.
        const double wanted = (static_cast<double>(sum - r->rounding[i]) * sums.scales[i] +
                               static_cast<double>(other) * addend.value_or(0)) /
                              output;
        const double slack = 1.01 +
                             std::abs(static_cast<double>(sum) * sums.scales[i] / output) /
                                 (2 * std::max<double>(1, static_cast<double>(multiplier)) - 1) +
                             (addend ? 128 * 0.5 / std::ldexp(1, r->shift) + 0.02 * std::abs(wanted) : 0) +
                             std::ldexp(static_cast<double>(multiplier), -r->shift);
        if (scaling == Scaling::kPowerOfTwo || multiplier > 8) {
          CHECK(std::abs(static_cast<double>(all >> r->shift) - wanted) <= slack);
        }
      }
    }
  }
  CHECK(found > 500);
}

TEST_CASE("networks of integers are near those of floats", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(40); ++round) {
    Graph floats = test::random_network(random);
    const Inputs inputs = test::random_images(floats, random);
    QuantizeOptions options = test::random_quantize_options(random);
    if (std::ranges::any_of(floats.nodes(), [](const Node& node) { return node.is_call("layer_norm"); })) {
      // Transformers need what keeps accuracy.
      options.scaling = Scaling::kMultiplyShift;
      options.per_channel = true;
      options.range = Range::kMax;
      floats = smooth_channels(floats, test::statistics_of(floats, inputs), options);
    }
    const QuantizedGraph integers = quantize(floats, test::statistics_of(floats, inputs), options);
    INFO(to_text(floats) << to_text(integers.graph));
    const std::vector<Tensor> wanted = evaluate(floats, inputs), got = evaluate(integers.graph, inputs);
    const auto is_zero = [&](int64_t e) { return wanted[0].number(e) == 0; };
    if (std::ranges::all_of(std::views::iota(int64_t{0}, wanted[0].size()), is_zero)) continue;
    // Of few values a distribution says little.
    CHECK(snr_db(wanted[0], got[0]) > (options.range == Range::kDivergence ? 5 : 12));
    for (const QuantizedValue& value : integers.values) {
      CHECK(value.scale > 0);
      CHECK((options.range != Range::kMax || value.clipped < 1e-3));
      CHECK(
          (options.scaling == Scaling::kMultiplyShift || value.scale == std::exp2(std::round(std::log2(value.scale)))));
    }
  }
}

TEST_CASE("smooth_channels leaves results but for rounding, and integers of them are as near", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  int changed = 0;
  for (int round = 0; round < test::rounds(40); ++round) {
    const Graph floats = test::random_network(random);
    const Inputs inputs = test::random_images(floats, random);
    QuantizeOptions options = test::random_quantize_options(random);
    const Graph smooth = smooth_channels(floats, test::statistics_of(floats, inputs), options);
    INFO(to_text(floats) << to_text(smooth));
    const std::vector<Tensor> wanted = evaluate(floats, inputs), got = evaluate(smooth, inputs);
    CHECK(difference(wanted[0], got[0], {1e-3, 1e-3}).value_or("") == "");
    changed += same_structure(floats, smooth) ? 0 : 1;
  }
  CHECK(changed > 0);
}

TEST_CASE("a channel that is much larger than the others is left to floats, and costs them nothing", "[unit]") {
  // What a dense layer takes, of which one channel is a hundred times as large, and so are its weights.
  Graph g("net");
  std::mt19937_64 random(1);
  Tensor weights(kFloat32, {8, 16}), x(kFloat32, {4, 16});
  fill(weights, random);
  fill(x, random);
  for (int64_t row = 0; row < 8; ++row) weights.set_number(row * 16 + 3, 100 * weights.number(row * 16 + 3));
  for (int64_t row = 0; row < 4; ++row) x.set_number(row * 16 + 3, 100 * x.number(row * 16 + 3));
  const Value product = g.call("dense", {g.input("x", type_of(x)), g.constant(weights)}, {}, "product");
  g.set_outputs({product});
  Inputs inputs;
  inputs.emplace("x", x);
  QuantizeOptions options;
  options.scaling = Scaling::kMultiplyShift;
  options.per_channel = true;
  options.range = Range::kMax;
  const Statistics statistics = test::statistics_of(g, inputs);
  const Graph smooth = smooth_channels(g, statistics, options);
  const Tensor wanted = evaluate(g, inputs)[0];
  const auto snr = [&](const Graph& floats) {
    const Statistics known = test::statistics_of(floats, inputs);
    return snr_db(wanted, evaluate(quantize(floats, known, options).graph, inputs)[0]);
  };
  CHECK(std::ranges::any_of(smooth.nodes(), [](const Node& n) { return n.name == "product.outlier3"; }));
  CHECK(snr(smooth) > snr(g) + 6);
}

TEST_CASE("channels between two dense layers are made alike by their weights alone, if these are floats", "[unit]") {
  std::mt19937_64 random(1);
  for (const bool as_integers : {false, true}) {
    Graph g("net");
    Tensor first(kFloat32, {16, 8}), second(kFloat32, {4, 16}), x(kFloat32, {4, 8});
    for (Tensor* tensor : {&first, &second, &x}) fill(*tensor, random);
    // One channel that is much larger than the others, and so are its weights.
    for (int64_t e = 0; e < 8; ++e) first.set_number(8 * 3 + e, 50 * first.number(8 * 3 + e));
    for (int64_t o = 0; o < 4; ++o) second.set_number(16 * o + 3, 50 * second.number(16 * o + 3));
    QuantizeOptions options;
    options.scaling = Scaling::kMultiplyShift;
    options.per_channel = true;
    options.range = Range::kMax;
    const Value weights =
        as_integers ? dequantized(g, quantize_weights(first, options), "first") : g.constant(first, "first");
    const Value hidden = g.call("relu", {g.call("dense", {g.input("x", type_of(x)), weights})});
    g.set_outputs({g.call("dense", {hidden, g.constant(second)})});
    Inputs inputs;
    inputs.emplace("x", x);
    const Graph smooth = smooth_channels(g, test::statistics_of(g, inputs), options);
    INFO(to_text(smooth));
    CHECK(difference(evaluate(g, inputs)[0], evaluate(smooth, inputs)[0], {1e-3, 1e-3}).value_or("") == "");
    CHECK(std::ranges::none_of(smooth.nodes(), [](const Node& n) { return n.name.find("outlier") != n.name.npos; }));
  }
}

TEST_CASE("weights that a network has as integers stay as they are", "[unit]") {
  Graph g("net");
  Tensor integers(kInt8, {2, 3}), scales(kFloat32, {2, 1});
  for (int64_t e = 0; e < 6; ++e) integers.set_integer(e, 7 * e - 20);
  scales.set_number(0, 0.5);
  scales.set_number(1, 0.375);
  const Value floats = g.call("cast", {g.constant(integers, "w")}, {{"dtype", kFloat32}});
  const Value weights = g.call("multiply", {floats, g.constant(scales)});
  g.set_outputs({g.call("dense", {g.input("x", {kFloat32, {1, 3}}), weights})});
  CHECK(same_structure(fold_constants(g), g));
  Inputs inputs;
  inputs.emplace("x", Tensor(kFloat32, {1, 3}));
  for (int64_t e = 0; e < 3; ++e) inputs.at("x").set_number(e, static_cast<double>(e) - 1);
  QuantizeOptions options;
  options.scaling = Scaling::kMultiplyShift;
  const QuantizedGraph quantized = quantize(g, test::statistics_of(g, inputs), options);
  const auto is_weights = [&](const Node& node) { return node.constant != nullptr && *node.constant == integers; };
  CHECK(std::ranges::count_if(quantized.graph.nodes(), is_weights) == 1);
  CHECK(snr_db(evaluate(g, inputs)[0], evaluate(quantized.graph, inputs)[0]) > 30);
  // Of fewer bits they are rounded anew.
  options.weight_bits = 4;
  const QuantizedGraph narrow = quantize(g, test::statistics_of(g, inputs), options);
  CHECK(std::ranges::none_of(narrow.graph.nodes(), is_weights));
  CHECK(snr_db(evaluate(g, inputs)[0], evaluate(narrow.graph, inputs)[0]) > 12);
}

TEST_CASE("an output whose weights are all zero leaves the others' scales as they are", "[unit]") {
  Tensor weights(kFloat32, {3, 2});
  for (int64_t e = 0; e < 4; ++e) weights.set_number(e, e % 2 == 0 ? 0.25 : -0.125);
  QuantizeOptions options;
  options.scaling = Scaling::kMultiplyShift;
  options.per_channel = true;
  const IntegerWeights made = quantize_weights(weights, options);
  CHECK(made.scales == std::vector<double>{0.25 / 127, 0.25 / 127, 0.25 / 127 / 64});
  CHECK(made.values->integer(0) == 127);
  CHECK(made.values->integer(5) == 0);
  CHECK(quantize_weights(Tensor(kFloat32, {3, 2}), options).scales == std::vector<double>(3, 1));
}

TEST_CASE("ranges cut more, from all of the values to where least is lost", "[unit]") {
  // A bell of 10,000 values, and one far outside.
  std::mt19937_64 random(1);
  Tensor values(kFloat32, {20000});
  for (float& value : values.values<float>()) {
    value = 0;
    for (int i = 0; i < 12; ++i) value += static_cast<float>(random() >> 40) * 0x1p-24F - 0.5F;
  }
  values.set_number(0, 40);
  Magnitudes bell;
  bell.add(values);
  const auto scale = [&](Range range) { return choose_scale(bell, 8, Scaling::kMultiplyShift, range); };
  CHECK(scale(Range::kMax) == Approx(40.0 / 127));
  CHECK(scale(Range::kPercentile) == Approx(4.0 / 127).epsilon(0.15));
  CHECK(scale(Range::kLeastError) < scale(Range::kMax));
  CHECK(scale(Range::kDivergence) < scale(Range::kMax) / 2);
  CHECK(bell.percentile(0.5) == Approx(0.674).epsilon(0.05));
  CHECK(bell.divergence(scale(Range::kPercentile), 127) < bell.divergence(scale(Range::kMax), 127));
  // What an activation has cut to 0 does not make steps any finer.
  const double of_all = scale(Range::kDivergence);
  for (float& value : values.values<float>()) value = std::max(value, 0.0F);
  bell = {};
  bell.add(values);
  CHECK(scale(Range::kDivergence) == Approx(of_all).epsilon(0.3));
}

TEST_CASE("what a network is in integers", "[golden]") {
  Graph g("block");
  const Value x = g.input("x", {kFloat32, {1, 2, 4, 4}});
  const auto weights = [&](Tensor::Shape shape, const char* name) {
    Tensor tensor(kFloat32, std::move(shape));
    for (int64_t e = 0; e < tensor.size(); ++e) tensor.set_number(e, 0.25 * static_cast<double>(e % 5 - 2));
    return g.constant(std::move(tensor), name);
  };
  const Value first = g.call("relu", {g.call("conv2d", {x, weights({2, 2, 1, 1}, "w1")}, {}, "conv1")});
  const Value second = g.call("conv2d", {first, weights({2, 2, 1, 1}, "w2"), weights({2}, "b2")}, {}, "conv2");
  const Value sum = g.call("relu", {g.call("add", {second, first})});
  g.set_outputs({g.call("global_avg_pool2d", {sum}, {}, "mean")});
  Inputs inputs;
  Tensor image(kFloat32, {1, 2, 4, 4});
  for (int64_t e = 0; e < image.size(); ++e) image.set_number(e, 0.1 * static_cast<double>(e - 16));
  inputs.emplace("x", std::move(image));
  const Statistics statistics = test::statistics_of(g, inputs);
  std::string text = to_text(g);
  for (const Scaling scaling : {Scaling::kPowerOfTwo, Scaling::kMultiplyShift}) {
    QuantizeOptions options;
    options.scaling = scaling;
    options.per_channel = scaling == Scaling::kMultiplyShift;
    text += "\n" + to_text(quantize(g, statistics, options).graph);
  }
  const std::string difference = test::compare_golden("quantized.txt", text);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("a scale leaves out few large values where that is the lesser error", "[unit]") {
  Tensor values(kFloat32, {10000});
  for (int64_t e = 0; e < values.size(); ++e) values.set_number(e, 1e-4 * static_cast<double>(e));
  Magnitudes even, outlier;
  even.add(values);
  values.set_number(0, 20);
  outlier.add(values);
  CHECK(choose_scale(even, 8, Scaling::kPowerOfTwo, Range::kMax) == 0x1p-6);
  CHECK(choose_scale(outlier, 8, Scaling::kPowerOfTwo, Range::kMax) == 0x1p-2);
  CHECK(choose_scale(outlier, 8, Scaling::kPowerOfTwo, Range::kLeastError) < 0x1p-2);
  CHECK(outlier.beyond(10) == 1e-4);
  // Wider values come later: what was counted stays.
  Magnitudes grown = even;
  Tensor wide(kFloat32, {1});
  wide.set_number(0, 4096);
  grown.add(wide);
  CHECK(grown.count() == 10001);
  CHECK(grown.largest() == 4096);
}

TEST_CASE("values that are no numbers, and values that nobody has seen, are refused", "[unit]") {
  Magnitudes magnitudes;
  Tensor nan(kFloat32, {1});
  nan.set_number(0, NAN);
  CHECK_THROWS_AS(magnitudes.add(nan), Error);
  Graph g("net");
  const Value x = g.input("x", {kFloat32, {1, 4}});
  g.set_outputs({g.call("dense", {x, g.constant(Tensor(kFloat32, {4, 4}))})});
  CHECK_THROWS_WITH(quantize(g, {}), ContainsSubstring("there are no statistics of"));
}

TEST_CASE("GELU between two products is made of integers where that is asked for", "[unit]") {
  std::mt19937_64 random(1);
  const auto weights = [&](Graph& g, Tensor::Shape shape) {
    Tensor tensor(kFloat32, std::move(shape));
    fill(tensor, random);
    return g.constant(std::move(tensor), "weights");
  };
  Graph g("net");
  const Value x = g.input("x", {kFloat32, {8, 16}});
  const Value rows =
      g.call("reshape", {g.call("dense", {x, weights(g, {40, 16})})}, {{"shape", ops::Integers{1, 8, 40}}});
  const Value y = g.call("gelu", {rows}, {}, "gelu");
  const Value again = g.call("reshape", {y}, {{"shape", ops::Integers{8, 40}}});
  g.set_outputs({g.call("dense", {again, weights(g, {24, 40})})});
  const Inputs inputs = test::random_images(g, random);
  const Statistics statistics = test::statistics_of(g, inputs);
  const Tensor wanted = evaluate(g, inputs)[0];
  for (const bool in_integers : {false, true}) {
    QuantizeOptions options;
    options.scaling = Scaling::kMultiplyShift;
    options.per_channel = true;
    options.integer_functions = in_integers;
    // Smoothing would multiply what is integers by floats.
    const Graph smooth = smooth_channels(g, statistics, options);
    const Graph integers = quantize(smooth, test::statistics_of(smooth, inputs), options).graph;
    INFO(to_text(integers));
    const bool has_floats =
        std::ranges::any_of(integers.nodes(), [](const Node& node) { return node.is_call("gelu"); });
    CHECK(has_floats != in_integers);
    CHECK(snr_db(wanted, evaluate(integers, inputs)[0]) > 30);
  }
}

}  // namespace vantage::test::graph_quantize_test
