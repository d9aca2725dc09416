// Networks that state their quantization: in integers each value is the one that the floats between make, or the next.
#include "compiler/graph/quantize/quantize_stated.h"

#include <algorithm>
#include <cmath>

#include "base/tensor/random.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/quantize/requantize.h"
#include "compiler/graph/quantize/stated.h"
#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/text.h"
#include "tests/catch.h"
#include "tests/compiler/network/random_stated.h"
#include "tests/support/effort.h"

namespace vantage::test::quantize_stated_test {

using namespace vantage;
using namespace vantage::graph;
using ops::Integers;

namespace {

bool is_product(const Node& node) {
  return node.is_call("conv2d") || node.is_call("dense") || node.is_call("matmul");
}

// Floats that are rounded to 8 bits by a scale, and back.
struct Rounding {
  double scale;
  int64_t zero;
  DType dtype;

  Value to(Graph& g, Value x) const {
    const auto number = [&](double value) {
      Tensor tensor(kFloat32, {});
      tensor.set_number(0, value);
      return g.constant(std::move(tensor));
    };
    x = g.call("add", {g.call("round", {g.call("divide", {x, number(scale)})}), number(static_cast<double>(zero))});
    x = g.call("clip", {x},
               {{"min", static_cast<double>(dtype.min_int())}, {"max", static_cast<double>(dtype.max_int())}});
    return g.call("cast", {x}, {{"dtype", dtype}});
  }
  Value from(Graph& g, Value x) const {
    Tensor off(kInt32, {}), by(kFloat32, {});
    off.set_integer(0, zero);
    by.set_number(0, scale);
    x = g.call("subtract", {g.call("cast", {x}, {{"dtype", kInt32}}), g.constant(std::move(off))});
    return g.call("multiply", {g.call("cast", {x}, {{"dtype", kFloat32}}), g.constant(std::move(by))});
  }
};

// One dense layer between roundings, with these weights' scales.
Graph layer(const Rounding& in, const Rounding& out, const Tensor& weights, const Tensor& scales, bool rounds = true) {
  Graph g("net");
  const Value x = g.input("x", {kFloat32, {4, weights.extent(1)}});
  const Value by =
      g.call("multiply", {g.call("cast", {g.constant(weights, "w")}, {{"dtype", kFloat32}}), g.constant(scales, "s")});
  const Value y = g.call("dense", {in.from(g, in.to(g, x)), by}, {}, "product");
  g.set_outputs({rounds ? out.to(g, y) : y});
  return g;
}

}  // namespace

TEST_CASE("the finest requantization is off no more than it says", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto draw = [&](double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(random() >> 11), -53);
  };
  int found = 0, fine = 0;
  for (int round = 0; round < test::rounds(3000); ++round) {
    SumsRange sums;
    for (int64_t i = 1 + static_cast<int64_t>(random() % 3); i > 0; --i) {
      sums.scales.push_back(std::exp2(draw(-20, -2)));
      sums.most.push_back(std::floor(std::exp2(draw(4, 26))));
    }
    const auto zero = [&] { return static_cast<int64_t>(random() % 256) - 128; };
    const StatedOutput output{std::exp2(draw(-8, 0)), zero()};
    std::optional<StatedOutput> addend;
    if (random() % 2 == 0) addend = StatedOutput{output.scale * std::exp2(draw(-4, 1)), zero()};
    const auto r = finest_requantization(sums, output, addend, 32);
    if (!r) continue;
    ++found;
    fine += r->error < 0.1 ? 1 : 0;
    const Requantization& q = r->requantization;
    const double reach = 256 * (1 + (addend ? addend->scale / output.scale : 0));
    for (size_t i = 0; i < sums.scales.size(); ++i) {
      const int64_t multiplier = q.multipliers.empty() ? 1 : q.multipliers[q.multipliers.size() == 1 ? 0 : i];
      for (const double share : {-1.0, draw(-1, 1), draw(-0.01, 0.01), 1.0}) {
        const double most = std::min(sums.most[i], reach * output.scale / sums.scales[i]);
        const auto sum = static_cast<int64_t>(std::trunc(most * share));
        const int64_t other = addend ? zero() : 0;
        const int64_t scaled = ((sum + q.rounding[i]) >> q.before) * multiplier;
        const int64_t all = scaled + other * (addend ? q.addend_multiplier : 0);
        for (const int64_t value : {sum + q.rounding[i], scaled, all}) {
          CHECK((value >= INT32_MIN && value <= INT32_MAX));
        }
        const double wanted = (static_cast<double>(sum) * sums.scales[i] +
                               (addend ? static_cast<double>(other - addend->zero) * addend->scale : 0)) /
                                  output.scale +
                              static_cast<double>(output.zero);
        // Half a step more for what is rounded.
        CHECK(std::abs(static_cast<double>(all >> q.shift) - wanted) <= 0.5 + r->error + 1e-6);
      }
    }
  }
  CHECK(found > 1500);
  CHECK(fine > 1000);
}

TEST_CASE("a stated layer in integers makes what its floats make, or the next integer", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  int64_t elements = 0, equal = 0, products = 0;
  for (int round = 0; round < test::rounds(150); ++round) {
    const Graph stated = passes::run_passes(test::random_stated_network(random, 1), simplifying_passes());
    CHECK(states_quantization(stated));
    const StatedGraph integers = quantize_as_stated(stated);
    INFO(to_text(stated) << to_text(integers.quantized.graph));
    CHECK(integers.left.empty());
    for (const Node& node : integers.quantized.graph.nodes()) {
      if (!is_product(node)) continue;
      ++products;
      CHECK(integers.quantized.graph.type(node.inputs[0]).dtype == kInt8);
      CHECK(integers.quantized.graph.type(node.inputs[1]).dtype == kInt8);
    }
    const Inputs inputs = test::random_stated_inputs(stated, random);
    const Tensor wanted = evaluate(stated, inputs)[0], got = evaluate(integers.quantized.graph, inputs)[0];
    REQUIRE(type_of(wanted) == type_of(got));
    for (int64_t e = 0; e < wanted.size(); ++e) {
      CHECK(std::abs(wanted.integer(e) - got.integer(e)) <= 1);
      equal += wanted.integer(e) == got.integer(e) ? 1 : 0;
    }
    elements += wanted.size();
    // Again: what is integers already has nothing more to state.
    CHECK(same_structure(
        parse_graph(to_text(integers.quantized.graph), "stated.graph", constants(integers.quantized.graph)),
        integers.quantized.graph));
  }
  CHECK(products > 50);
  CHECK(static_cast<double>(equal) > 0.97 * static_cast<double>(elements));
}

TEST_CASE("networks of several stated layers stay near to what they say", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const int rounds = test::rounds(30);
  double all_off = 0;
  for (int round = 0; round < rounds; ++round) {
    const Graph stated = passes::run_passes(test::random_stated_network(random, 4), simplifying_passes());
    const StatedGraph integers = quantize_as_stated(stated);
    INFO(to_text(stated) << to_text(integers.quantized.graph));
    const Inputs inputs = test::random_stated_inputs(stated, random);
    const Tensor wanted = evaluate(stated, inputs)[0], got = evaluate(integers.quantized.graph, inputs)[0];
    double off = 0;
    for (int64_t e = 0; e < wanted.size(); ++e) {
      off += static_cast<double>(std::abs(wanted.integer(e) - got.integer(e)));
    }
    all_off += off / static_cast<double>(wanted.size());
    // Weights are the file's own.
    for (const Node& node : integers.quantized.graph.nodes()) {
      if (!node.name.ends_with(".weights")) continue;
      CHECK(std::ranges::any_of(stated.nodes(), [&](const Node& n) {
        if (n.constant == nullptr || n.constant->size() != node.constant->size()) return false;
        for (int64_t e = 0; e < n.constant->size(); ++e) {
          if (!n.constant->dtype().is_int() || n.constant->integer(e) != node.constant->integer(e)) return false;
        }
        return true;
      }));
    }
  }
  // Layers make more of what those before are off.
  CHECK(all_off / rounds < 0.6);
}

TEST_CASE("stated scales and zero points are noted as the network has them", "[unit]") {
  Tensor weights(kInt8, {3, 8}), scales(kFloat32, {3, 1});
  std::mt19937_64 random(1);
  fill(weights, random);
  for (int64_t o = 0; o < 3; ++o) scales.set_number(o, 0.25 / static_cast<double>(o + 1));
  const Graph g = layer({0.5, 100, kUInt8}, {8, 3, kUInt8}, weights, scales);
  const StatedGraph integers = quantize_as_stated(g);
  INFO(to_text(integers.quantized.graph));
  REQUIRE(integers.quantized.values.size() == 2);
  const QuantizedValue &in = integers.quantized.values[0], &out = integers.quantized.values[1];
  REQUIRE(in.stated);
  CHECK(in.scale == 0.5);
  CHECK(in.stated->zero == 100);
  CHECK(in.stated->dtype == kUInt8);
  REQUIRE(out.stated);
  CHECK(out.name == "product");
  CHECK(out.scale == 8);
  CHECK(out.zero == 3 - 128);
  CHECK(out.stated->zero == 3);
  CHECK(out.weight_scale == 0.25);
}

TEST_CASE("what integers cannot say stays as it is, with a reason", "[unit]") {
  Tensor weights(kInt8, {2, 8}), scales(kFloat32, {2, 1});
  std::mt19937_64 random(1);
  fill(weights, random);
  scales.set_number(0, 1);
  scales.set_number(1, 1);
  const Rounding in{0.5, 0, kInt8};
  const auto reason = [&](const Rounding& out, bool rounds = true) {
    const Graph g = layer(in, out, weights, scales, rounds);
    const StatedGraph integers = quantize_as_stated(g);
    Inputs inputs;
    Tensor x(kFloat32, {4, 8});
    fill(x, random);
    inputs.emplace("x", std::move(x));
    CHECK(evaluate(g, inputs) == evaluate(integers.quantized.graph, inputs));
    REQUIRE(integers.left.size() == 1);
    CHECK(integers.left[0].product == "product");
    return integers.left[0].reason;
  };
  CHECK(reason({1, 0, kInt8}, false) ==
        "nothing rounds its results, as they are or within limits, to integers of 8 bits by one scale");
  CHECK_THAT(reason({1e-9, 0, kInt8}), ContainsSubstring("need more than 32 bits"));
  // Outputs of which one is as good as nothing beside the other, but not beside its own steps.
  scales.set_number(0, 1e6);
  CHECK_THAT(reason({1e-2, 0, kInt8}), ContainsSubstring("of its scales"));
  Tensor by_input(kFloat32, {1, 8});
  for (float& scale : by_input.values<float>()) scale = 1;
  by_input.set_number(3, 2);
  scales = by_input;
  CHECK_THAT(reason({1, 0, kInt8}), ContainsSubstring("no integers of 8 bits with a scale for all or for each output"));
}

TEST_CASE("a network whose floats are rounded by nothing that goes on states nothing", "[unit]") {
  Graph g("net");
  const Value x = g.input("x", {kFloat32, {4}});
  g.set_outputs({Rounding{0.5, 0, kInt8}.to(g, x)});
  CHECK_FALSE(states_quantization(g));
  Graph both("net");
  const Rounding by{0.5, 0, kInt8};
  both.set_outputs({by.from(both, by.to(both, both.input("x", {kFloat32, {4}})))});
  CHECK(states_quantization(both));
}

TEST_CASE("bytes that a network of floats takes and makes state nothing of it", "[unit]") {
  std::mt19937_64 random(1);
  Graph g("net");
  const Value bytes = g.input("x", {kUInt8, {1, 3, 8, 8}});
  Tensor scale(kFloat32, {}), weights(kFloat32, {4, 3, 3, 3});
  scale.set_number(0, 1.0 / 255);
  fill(weights, random);
  const Value floats =
      g.call("multiply", {g.call("cast", {bytes}, {{"dtype", kFloat32}}), g.constant(std::move(scale))});
  g.set_outputs({Rounding{0.5, 0, kUInt8}.to(g, g.call("conv2d", {floats, g.constant(std::move(weights))}))});
  CHECK_FALSE(states_quantization(g));
}

TEST_CASE("weights that are integers stay so, moved as their users take them", "[unit]") {
  std::mt19937_64 random(1);
  Tensor integers(kInt8, {6, 4}), by_column(kFloat32, {1, 4}), x(kFloat32, {2, 3, 6});
  fill(integers, random);
  fill(x, random);
  for (int64_t c = 0; c < 4; ++c) by_column.set_number(c, 0.1 * static_cast<double>(c + 1));
  Inputs inputs;
  inputs.emplace("x", x);
  const auto narrow = [&](Graph& g) {
    return g.call("multiply",
                  {g.call("cast", {g.constant(integers, "w")}, {{"dtype", kFloat32}}), g.constant(by_column)});
  };
  const auto count_int8 = [](const Graph& g) {
    return std::ranges::count_if(g.nodes(), [](const Node& n) { return n.constant && n.constant->dtype() == kInt8; });
  };
  {
    Graph g("net");
    g.set_outputs({g.call("matmul", {g.input("x", type_of(x)), narrow(g)})});
    const Graph simple = passes::run_passes(g, simplifying_passes());
    INFO(to_text(simple));
    CHECK(evaluate(g, inputs) == evaluate(simple, inputs));
    CHECK(count_int8(simple) == 1);
    const auto dense = std::ranges::find_if(simple.nodes(), [](const Node& n) { return n.is_call("dense"); });
    REQUIRE(dense != simple.nodes().end());
    const auto weights = find_dequantized(simple, dense->inputs[1]);
    REQUIRE(weights);
    CHECK(*weights->values == integers.permuted({1, 0}));
    CHECK(weights->scales.size() == 4);
  }
  {
    // By transposes and axes of one element.
    Graph g("net");
    Value w = g.call("reshape", {narrow(g)}, {{"shape", Integers{6, 1, 4, 1}}});
    w = g.call("transpose", {w}, {{"order", Integers{2, 0, 1, 3}}});
    const Value rows = g.call("reshape", {g.input("x", type_of(x))}, {{"shape", Integers{6, 6, 1, 1}}});
    g.set_outputs({g.call("conv2d", {rows, w})});
    const Graph simple = passes::run_passes(g, simplifying_passes());
    INFO(to_text(simple));
    CHECK(evaluate(g, inputs) == evaluate(simple, inputs));
    CHECK(count_int8(simple) == 1);
  }
  {
    // What else is done to them makes floats of them.
    Graph g("net");
    const Value w = narrow(g);
    const Value y = g.call("matmul", {g.input("x", type_of(x)), w});
    g.set_outputs({y, g.call("sum", {w}, {{"axes", Integers{0}}})});
    const Graph simple = passes::run_passes(g, simplifying_passes());
    INFO(to_text(simple));
    CHECK(evaluate(g, inputs) == evaluate(simple, inputs));
    CHECK(count_int8(simple) == 0);
  }
}

}  // namespace vantage::test::quantize_stated_test
