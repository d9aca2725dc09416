#include "compiler/graph/quantize/quantize.h"

#include <cmath>

#include "base/error.h"
#include "compiler/graph/quantize/requantize.h"
#include "compiler/graph/quantize/scale.h"
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
    const Graph floats = test::random_network(random);
    const Inputs inputs = test::random_images(floats, random);
    const QuantizeOptions options = test::random_quantize_options(random);
    const QuantizedGraph integers = quantize(floats, test::statistics_of(floats, inputs), options);
    INFO(to_text(floats) << to_text(integers.graph));
    const std::vector<Tensor> wanted = evaluate(floats, inputs), got = evaluate(integers.graph, inputs);
    CHECK(snr_db(wanted[0], got[0]) > 12);
    for (const QuantizedValue& value : integers.values) {
      CHECK(value.scale > 0);
      CHECK((options.choice == ScaleChoice::kLeastError || value.clipped < 1e-3));
      CHECK(
          (options.scaling == Scaling::kMultiplyShift || value.scale == std::exp2(std::round(std::log2(value.scale)))));
    }
  }
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
  CHECK(choose_scale(even, 8, Scaling::kPowerOfTwo, ScaleChoice::kLargest) == 0x1p-6);
  CHECK(choose_scale(outlier, 8, Scaling::kPowerOfTwo, ScaleChoice::kLargest) == 0x1p-2);
  CHECK(choose_scale(outlier, 8, Scaling::kPowerOfTwo, ScaleChoice::kLeastError) < 0x1p-2);
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

}  // namespace vantage::test::graph_quantize_test
