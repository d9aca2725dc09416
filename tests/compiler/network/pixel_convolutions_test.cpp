// Convolutions of GPUs, pixel by pixel: the same results, of kernels that were laid out once.
#include "compiler/network/pixel_convolutions.h"

#include "base/tensor/compare.h"
#include "compiler/graph/evaluate.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/network/compile_network.h"
#include "tests/catch.h"
#include "tests/compiler/graph/random_graph.h"
#include "tests/compiler/network/random_product.h"
#include "tests/support/effort.h"

namespace vantage::test::pixel_convolutions_test {

using namespace vantage;
using graph::Graph;
using graph::Value;

namespace {

// Types of the constants.
std::vector<std::string> constants_of(const Graph& graph) {
  std::vector<std::string> types;
  for (const graph::Node& node : graph.nodes()) {
    if (node.constant != nullptr) types.push_back(describe(node.types[0]));
  }
  return types;
}

}  // namespace

TEST_CASE("convolutions make the same pixel by pixel", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  int changed = 0;
  for (int round = 0; round < test::rounds(40); ++round) {
    const Graph plain = test::random_convolution(random);
    const Graph fused = graph::fuse_operators(plain, round % 3 == 0 ? graph::Fusion::kNone : graph::Fusion::kAll);
    const Graph result = network::pixel_convolutions(fused);
    INFO(to_text(plain) << to_text(result));
    changed += to_text(result).find("w.by_outputs") != std::string::npos ? 1 : 0;
    const graph::Inputs inputs = test::random_inputs(plain, random);
    const std::vector<Tensor> expected = evaluate(plain, inputs), got = evaluate(result, inputs);
    REQUIRE(got.size() == expected.size());
    CHECK(difference(expected[0], got[0], {0x1p-16, 0x1p-16}).value_or("") == "");
    REQUIRE(result.outputs().size() == plain.outputs().size());
  }
  CHECK(changed > test::rounds(40) / 5);
}

TEST_CASE("kernels are laid out once, and kept as they are where something else reads them", "[unit]") {
  std::mt19937_64 random(5);
  Graph g("twice");
  const Value x = g.input("x", {kFloat32, {1, 6, 5, 5}}),
              w = g.constant(test::random_floats(random, {6, 6, 3, 2}), "w");
  const Value once = g.call("conv2d", {x, w}), again = g.call("conv2d", {once, w});
  g.set_outputs({again});
  CHECK(constants_of(network::pixel_convolutions(g)) == std::vector<std::string>{"float32[3, 2, 6, 6]"});
  g.set_outputs({again, g.call("relu", {w})});
  CHECK(constants_of(network::pixel_convolutions(g)).size() == 2);
}

TEST_CASE("kernels of groups, and those that are computed, stay as they are", "[unit]") {
  std::mt19937_64 random(5);
  Graph g("as_they_are");
  const Value x = g.input("x", {kFloat32, {1, 6, 5, 5}});
  const Value grouped =
      g.call("conv2d", {x, g.constant(test::random_floats(random, {6, 2, 3, 3}), "w")}, {{"groups", int64_t{3}}});
  const Value computed = g.call("conv2d", {x, g.input("kernels", {kFloat32, {4, 6, 1, 1}})});
  g.set_outputs({grouped, computed});
  CHECK(to_text(network::pixel_convolutions(g)) == to_text(g));
}

}  // namespace vantage::test::pixel_convolutions_test
