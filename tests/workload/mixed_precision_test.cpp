#include "workload/mixed_precision.h"

#include "base/tensor/random.h"
#include "tests/catch.h"
#include "tests/compiler/network/random_network.h"

namespace vantage::test::mixed_precision_test {

using namespace vantage;

TEST_CASE("products that lose the most for what they cost stay floats", "[unit]") {
  const std::vector<workload::Sensitivity> all = {{"cheap", 10, 0.1}, {"large", 100, 0.5}, {"harmless", 10, 0.001}};
  CHECK(workload::choose_floats(all, 0).empty());
  CHECK(workload::choose_floats(all, 0.1) == std::set<std::string>{"cheap"});
  // The large one does not fit, what comes behind it does.
  CHECK(workload::choose_floats(all, 0.2) == std::set<std::string>{"cheap", "harmless"});
  CHECK(workload::choose_floats(all, 0.95) == std::set<std::string>{"cheap", "large"});
  CHECK(workload::choose_floats(all, 1).size() == 3);
}

TEST_CASE("products that gain the most for each cycle stay floats, within a budget", "[unit]") {
  const std::vector<workload::Sensitivity> all = {
      {"cheap", 10, 0.1}, {"large", 100, 0.5}, {"free", 10, 0.001}, {"exact", 10, 0}, {"elsewhere", 10, 1}};
  const std::map<std::string, double> added = {{"cheap", 50}, {"large", 1000}, {"free", -20}, {"exact", 1}};
  using Names = std::set<std::string>;
  CHECK(workload::choose_floats_for_cycles(all, added, 0) == Names{"free"});
  CHECK(workload::choose_floats_for_cycles(all, added, 49) == Names{"free"});
  CHECK(workload::choose_floats_for_cycles(all, added, 50) == Names{"cheap", "free"});
  // The large one gains less for a cycle, and fits only alone.
  CHECK(workload::choose_floats_for_cycles(all, added, 1049) == Names{"cheap", "free"});
  CHECK(workload::choose_floats_for_cycles(all, added, 1050) == Names{"cheap", "free", "large"});
}

TEST_CASE("a product of one large value and many small ones is found to lose the most", "[unit]") {
  std::mt19937_64 random(1);
  const auto weights = [&](Tensor::Shape shape) {
    Tensor tensor(kFloat32, std::move(shape));
    fill(tensor, random);
    return tensor;
  };
  graph::Graph g("net");
  const graph::Value x = g.input("x", {kFloat32, {4, 16}});
  const graph::Value a = g.call("tanh", {g.call("dense", {x, g.constant(weights({16, 16}))}, {}, "even")});
  Tensor factors(kFloat32, {16});
  for (int64_t e = 0; e < 16; ++e) factors.set_number(e, e == 0 ? 500 : 1);
  const graph::Value b = g.call("multiply", {a, g.constant(factors)});
  Tensor uneven = weights({8, 16});
  for (int64_t o = 0; o < 8; ++o) uneven.set_number(16 * o, 0.002);
  g.set_outputs({g.call("dense", {b, g.constant(uneven)}, {}, "uneven")});
  graph::Inputs inputs;
  inputs.emplace("x", weights({4, 16}));
  const auto found = workload::sensitivities(g, test::statistics_of(g, inputs), {}, {inputs});
  REQUIRE(found.size() == 2);
  CHECK(found[0].product == "even");
  CHECK(found[0].operations == 4 * 16 * 16);
  CHECK(found[1].operations == 4 * 8 * 16);
  CHECK(found[1].noise > 100 * found[0].noise);
  CHECK(found[0].noise > 0);
  // What stays floats is none.
  graph::QuantizeOptions options;
  options.floats = {"uneven"};
  CHECK(workload::sensitivities(g, test::statistics_of(g, inputs), options, {inputs}).size() == 1);
}

}  // namespace vantage::test::mixed_precision_test
