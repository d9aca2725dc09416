// Graphs, their text, and what runs them.
#include "compiler/graph/text.h"

#include "base/tensor/random.h"
#include "tests/catch.h"
#include "tests/compiler/graph/random_graph.h"
#include "tests/compiler/refusals.h"
#include "tests/support/effort.h"
#include "tests/support/golden.h"

namespace vantage::test::graph_test {

using namespace vantage;
using namespace vantage::graph;
using ops::Integers;

namespace {

Graph small() {
  Graph g("small");
  const Value x = g.input("x", {kFloat32, {1, 1, 2, 2}});
  const Value w = g.constant(Tensor(kFloat32, {2, 1, 3, 3}), "w");
  Tensor half(kFloat32, {1});
  half.set_number(0, 0.5);
  const Value conv = g.call("conv2d", {x, w}, {{"padding", Integers{1, 1, 1, 1}}}, "conv1.conv");
  const Value scaled = g.call("multiply", {conv, g.constant(half, "half")});
  const Value clipped = g.call("clip", {scaled}, {{"min", int64_t{0}}, {"max", 6.5}});
  const Value parts = g.call("split", {clipped}, {{"sizes", Integers{1, 1}}, {"axis", int64_t{1}}});
  g.set_outputs({{parts.node, 1}, g.call("cast", {scaled}, {{"dtype", kInt8}})});
  return g;
}

}  // namespace

TEST_CASE("a graph's text says all of it, and is read back", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(60); ++round) {
    const Graph g = test::random_graph(random, 1 + round % 20);
    const std::string text = to_text(g);
    INFO(text);
    const Graph again = parse_graph(text, "random.graph", constants(g));
    CHECK(to_text(again) == text);
    CHECK(same_structure(g, again));
    const Inputs inputs = test::random_inputs(g, random);
    CHECK(evaluate(g, inputs) == evaluate(again, inputs));
  }
}

TEST_CASE("the text of a small graph", "[golden]") {
  const std::string difference = test::compare_golden("graph.txt", to_text(small()));
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("what is no graph is refused with its place", "[golden]") {
  test::Refusals list;
  const auto parse = [](const std::string& body) {
    parse_graph("graph g(%x: float32[1, 2]) {\n" + body + "\n}", "g.graph");
  };
  list.add("another word", [] { parse_graph("grph g() {}", "g.graph"); });
  list.add("nothing", [] { parse_graph("", "g.graph"); });
  list.add("no type", [] { parse_graph("graph g(%x: float31[1]) { return %x }", "g.graph"); });
  list.add("a size of nothing", [] { parse_graph("graph g(%x: int8[0]) { return %x }", "g.graph"); });
  list.add("more bytes than there are",
           [] { parse_graph("graph g(%x: int8[4294967296, 4294967296]) { return %x }", "g.graph"); });
  list.add("two inputs of a name", [] { parse_graph("graph g(%x: int8[1], %x: int8[1]) { return %x }", "g.graph"); });
  list.add("no output", [&] { parse("  %y = relu(%x)"); });
  list.add("an unknown operator", [&] { parse("  %y = rellu(%x)\n  return %y"); });
  list.add("an unknown value", [&] { parse("  %y = relu(%z)\n  return %y"); });
  list.add("a value before it is made", [&] { parse("  %y = relu(%z)\n  %z = relu(%x)\n  return %y"); });
  list.add("a name twice", [&] { parse("  %x = relu(%x)\n  return %x"); });
  list.add("an unknown attribute", [&] { parse("  %y = clip(%x, min=0, mx=1)\n  return %y"); });
  list.add("an attribute that is missing", [&] { parse("  %y = clip(%x, min=0)\n  return %y"); });
  list.add("an attribute of another kind", [&] { parse("  %y = clip(%x, min=[1], max=2)\n  return %y"); });
  list.add("an attribute twice", [&] { parse("  %y = clip(%x, min=1, min=1, max=2)\n  return %y"); });
  list.add("an input behind attributes", [&] { parse("  %y = clip(min=1, max=2, %x)\n  return %y"); });
  list.add("an input too many", [&] { parse("  %y = relu(%x, %x)\n  return %y"); });
  list.add("an input too few", [&] { parse("  %y = add(%x)\n  return %y"); });
  list.add("inputs that do not fit",
           [&] { parse("  %c = constant float32[3] {1, 2, 3}\n  %y = add(%x, %c)\n  return %y"); });
  list.add("a type that is another", [&] { parse("  %y = relu(%x) : float32[2, 1]\n  return %y"); });
  list.add("an output that there is not", [&] { parse("  return %x:1"); });
  list.add("an output without a name", [&] { parse("  return %x as a, %x"); });
  list.add("an output whose name is taken", [&] { parse("  return %x as a, %x as a"); });
  list.add("a node of several outputs", [&] { parse("  %y = split(%x, sizes=[1, 1], axis=1)\n  return %y"); });
  list.add("too few elements", [&] { parse("  %c = constant int8[2] {1}\n  return %c"); });
  list.add("an element that does not fit", [&] { parse("  %c = constant int8[1] {200}\n  return %c"); });
  list.add("a fraction of integers", [&] { parse("  %c = constant int8[1] {0.5}\n  return %c"); });
  list.add("elements that nobody has", [&] { parse("  %c = constant int8[20]\n  return %c"); });
  list.add("too many elements", [&] { parse("  %c = constant int8[20] {1}\n  return %c"); });
  list.add("quotes that do not end", [&] { parse("  %y = cast(%x, dtype=\"int8)\n  return %y"); });
  list.add("something behind the end", [] { parse_graph("graph g(%x: int8[1]) { return %x } more", "g.graph"); });
  list.add("the end too early", [] { parse_graph("graph g(%x: int8[1]) {", "g.graph"); });
  list.add("no output of a graph in code", [] { Graph("g").set_outputs({}); });
  list.add("a name that is none", [] { Graph("g").input("1x", {kInt8, {1}}); });
  list.add("a node in code", [] {
    Graph g("g");
    const Value x = g.input("x", {kFloat32, {1, 2, 3, 3}});
    g.call("conv2d", {x, g.constant(Tensor(kFloat32, {4, 3, 1, 1}), "w")}, {}, "layer1.conv2");
  });
  list.add("an input that is missing", [] { evaluate(small(), {}); });
  list.add("an input of another type", [] { evaluate(small(), {{"x", Tensor(kInt8, {1, 1, 2, 2})}}); });
  list.add("an input that there is not", [] { evaluate(small(), {{"y", Tensor(kInt8, {1})}}); });
  const std::string difference = test::compare_golden("refusals_graph.txt", list.text());
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("a name that is taken gets a number", "[unit]") {
  Graph g("g");
  const Value x = g.input("x", {kInt8, {1}});
  CHECK(g.node(g.input("x", {kInt8, {1}})).name == "x_1");
  CHECK(g.node(g.call("relu", {x})).name == "relu");
  CHECK(g.node(g.call("relu", {x})).name == "relu_1");
  CHECK(g.node(g.call("relu", {x}, {}, "x")).name == "x_2");
}

}  // namespace vantage::test::graph_test
