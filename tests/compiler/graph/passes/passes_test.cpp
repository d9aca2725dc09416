// Passes over graphs: each leaves what a graph computes, does what it is for, and nothing when it is run again.
#include <algorithm>
#include <cmath>

#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/graph/passes/all_in_float32.h"
#include "compiler/graph/passes/constants_last.h"
#include "compiler/graph/passes/eliminate_common.h"
#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/graph/passes/fold_bias.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/passes/plain_products.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "compiler/graph/passes/split_attention.h"
#include "compiler/graph/rewrite.h"
#include "compiler/graph/text.h"
#include "tests/catch.h"
#include "tests/compiler/graph/random_graph.h"
#include "tests/support/effort.h"
#include "tests/support/golden.h"

namespace vantage::test::graph_passes_test {

using namespace vantage;
using namespace vantage::graph;
using ops::Integers;

namespace {

size_t calls(const Graph& graph) {
  return static_cast<size_t>(std::count_if(graph.nodes().begin(), graph.nodes().end(),
                                           [](const Node& node) { return node.kind == Node::Kind::kCall; }));
}

void check_leaves_results(Graph (*pass)(Graph)) {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(60); ++round) {
    const Graph before = test::random_graph(random, 1 + round % 20);
    const Graph after = pass(before);
    INFO(to_text(before) << to_text(after));
    const Inputs inputs = test::random_inputs(before, random);
    CHECK(evaluate(before, inputs) == evaluate(after, inputs));
    CHECK(same_structure(pass(after), after));
  }
}

// A batch_norm of constants behind `product`, and what both make.
Graph normed(Graph g, Value product, int64_t channels, int64_t axis, std::mt19937_64& random) {
  std::vector<Value> inputs = {product};
  for (int i = 0; i < 4; ++i) {
    Tensor statistics(kFloat32, {channels});
    fill(statistics, random);
    if (i == 3) {
      for (int64_t c = 0; c < channels; ++c) statistics.set_number(c, std::abs(statistics.number(c)) + 0.1);
    }
    inputs.push_back(g.constant(std::move(statistics)));
  }
  g.set_outputs({g.call("batch_norm", inputs, {{"axis", axis}})});
  return g;
}
Value random_constant(Graph& g, Tensor::Shape shape, std::mt19937_64& random) {
  Tensor tensor(kFloat32, std::move(shape));
  fill(tensor, random);
  return g.constant(std::move(tensor));
}

}  // namespace

TEST_CASE("other floats become float32, within a network", "[unit]") {
  std::mt19937_64 random(3);
  for (const DType dtype : {kFloat16, kBFloat16, kFloat64}) {
    Graph g("narrow");
    const Value x = g.input("x", {dtype, {1, 3, 8, 8}});
    Tensor weights(kFloat32, {4, 3, 3, 3});
    fill(weights, random);
    const Value sums = g.call("conv2d", {x, g.constant(weights.converted(dtype), "w")},
                              {{"padding", Integers{1, 1, 1, 1}}, {"dtype", dtype == kFloat64 ? kFloat64 : kFloat32}});
    const Value wide = g.call("cast", {g.call("relu", {sums}, {}, "r")}, {{"dtype", kFloat32}}, "wide");
    const Value narrow = g.call("cast", {g.call("sigmoid", {wide})}, {{"dtype", dtype}}, "narrow");
    g.set_outputs({g.call("add", {narrow, narrow}, {}, "twice"), wide});
    g.name_outputs({"y", "z"});
    const Graph all = all_in_float32(g);
    INFO(to_text(all));
    CHECK(all.type(all.outputs()[0]).dtype == dtype);
    CHECK(all.type(all.outputs()[1]).dtype == kFloat32);
    CHECK(all.output_names() == g.output_names());
    for (const Node& node : all.nodes()) {
      const bool is_border = node.kind == Node::Kind::kInput || node.name == "twice.as_before";
      CHECK((node.types[0].dtype == kFloat32) != is_border);
    }
    const Inputs inputs = test::random_inputs(g, random);
    const auto before = evaluate(g, inputs), after = evaluate(all, inputs);
    for (size_t i = 0; i < before.size(); ++i) {
      CHECK(difference(before[i], after[i], {.relative = 0.05, .absolute = 0.05}).value_or("") == "");
    }
    CHECK(same_structure(all_in_float32(all), all));
  }
}

TEST_CASE("remove_dead_code leaves results", "[property]") {
  check_leaves_results(remove_dead_code);
}
TEST_CASE("fold_constants leaves results", "[property]") {
  check_leaves_results(fold_constants);
}
TEST_CASE("constants_last leaves results, and constants second", "[property]") {
  check_leaves_results(constants_last);
  Graph g("net");
  const Value x = g.input("x", {kFloat32, {2, 3}}), c = g.constant(Tensor(kFloat32, {3}), "c");
  std::vector<Value> outputs;
  for (const char* op : {"add", "multiply", "maximum", "minimum"}) outputs.push_back(g.call(op, {c, x}));
  outputs.push_back(g.call("subtract", {c, x}));  // which is not the same the other way round
  outputs.push_back(g.call("divide", {c, x}));
  g.set_outputs(outputs);
  const Graph after = constants_last(g);
  for (const Value& output : after.outputs()) {
    const Node& node = after.node(output);
    const bool stays = node.is_call("subtract") || node.is_call("divide");
    CHECK((after.node(node.inputs[0]).constant != nullptr) == stays);
    CHECK((after.node(node.inputs[1]).constant != nullptr) != stays);
  }
}
TEST_CASE("eliminate_common_subexpressions leaves results", "[property]") {
  check_leaves_results(eliminate_common_subexpressions);
}

TEST_CASE("plain_products leaves sums as they are but for the order of their terms", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  for (int round = 0; round < test::rounds(60); ++round) {
    Graph g("net");
    const auto constant = [&](Tensor::Shape shape) { return random_constant(g, std::move(shape), random); };
    if (round % 4 == 3) {
      const Value x = g.input("x", {kFloat32, {2, pick(1, 3), pick(1, 5)}});
      const int64_t depth = g.type(x).shape[2];
      const bool is_dense = pick(0, 1) == 0, transposed = is_dense || pick(0, 1) == 0;
      const Value w = constant(transposed ? Tensor::Shape{4, depth} : Tensor::Shape{depth, 4});
      g.set_outputs({is_dense ? g.call("dense", {x, w, constant({4})})
                              : g.call("matmul", {x, w}, {{"transpose_b", transposed}})});
    } else {
      const int64_t groups = pick(1, 2), channels = groups * pick(1, 3), outputs = pick(1, 3);
      const Value x = g.input("x", {kFloat32, {pick(1, 2), channels, pick(3, 6), pick(3, 6)}});
      std::vector<Value> inputs = {x, constant({channels, outputs, pick(1, 4), pick(1, 4)})};
      if (pick(0, 1) == 0) inputs.push_back(constant({outputs * groups}));
      const Integers strides = {pick(1, 3), pick(1, 3)};
      // A kernel with gaps goes with a step of one.
      const Integers dilation = {strides[0] == 1 ? pick(1, 2) : 1, strides[1] == 1 ? pick(1, 2) : 1};
      g.set_outputs({g.call("conv2d_transpose", inputs,
                            {{"strides", strides},
                             {"padding", Integers{pick(0, 1), pick(0, 1), pick(0, 1), pick(0, 1)}},
                             {"output_padding", Integers{pick(0, std::max(strides[0], dilation[0]) - 1),
                                                         pick(0, std::max(strides[1], dilation[1]) - 1)}},
                             {"dilation", dilation},
                             {"groups", groups}})});
    }
    const Inputs inputs = test::random_inputs(g, random);
    const Graph after = plain_products(g);
    INFO(to_text(g) << to_text(after));
    CHECK(difference(evaluate(g, inputs)[0], evaluate(after, inputs)[0], {0x1p-16, 0x1p-16}).value_or("") == "");
  }
}

TEST_CASE("fold_bias leaves results but for the rounding of sums, and no addition where there is room", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  int folded = 0;
  for (int round = 0; round < test::rounds(80); ++round) {
    Graph g("net");
    const auto constant = [&](Tensor::Shape shape) { return random_constant(g, std::move(shape), random); };
    const int64_t outputs = pick(1, 4), depth = pick(1, 5), rows = pick(1, 4);
    const bool is_conv = pick(0, 2) == 0, has_bias = pick(0, 3) == 0;
    Value y;
    if (is_conv) {
      y = g.call("conv2d", {g.input("x", {kFloat32, {1, depth, rows, 3}}), constant({outputs, depth, 1, 1})});
    } else {
      std::vector<Value> inputs = {g.input("x", {kFloat32, {2 * rows, depth}}), constant({outputs, depth})};
      if (has_bias) inputs.push_back(constant({outputs}));
      y = g.call("dense", inputs);
      if (pick(0, 1) == 0) y = g.call("reshape", {y}, {{"shape", Integers{2, rows, outputs}}});
    }
    const std::vector<Tensor::Shape> shapes = {{outputs},          {1, outputs}, {1, 1, outputs}, {outputs, 1, 1},
                                               {1, outputs, 1, 1}, {1},          g.type(y).shape};
    const Value added = constant(shapes[static_cast<size_t>(pick(0, 6))]);
    // Not every shape goes with every sum.
    Value sum;
    try {
      sum = pick(0, 1) == 0 ? g.call("add", {y, added}) : g.call("add", {added, y});
    } catch (const Error&) {
      continue;
    }
    std::vector<Value> results = {sum};
    if (pick(0, 3) == 0) results.push_back(y);
    g.set_outputs(results);
    const Inputs inputs = test::random_inputs(g, random);
    const Graph after = remove_dead_code(fold_bias(constants_last(g)));
    INFO(to_text(g) << to_text(after));
    CHECK(g.type(sum) == after.type(after.outputs()[0]));
    CHECK(difference(evaluate(g, inputs)[0], evaluate(after, inputs)[0], {0x1p-20, 0x1p-20}).value_or("") == "");
    const auto is_addition = [](const Node& node) { return node.is_call("add"); };
    folded += std::ranges::none_of(after.nodes(), is_addition) ? 1 : 0;
  }
  CHECK(folded > 5);
}

TEST_CASE("split_attention leaves results but for the order of sums", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  for (int round = 0; round < test::rounds(60); ++round) {
    Graph g("net");
    const int64_t batch = pick(1, 2), key_heads = pick(1, 2), heads = key_heads * pick(1, 3), queries = pick(1, 4),
                  keys = pick(1, 5), depth = pick(1, 4);
    std::vector<Value> inputs = {g.input("q", {kFloat32, {batch, heads, queries, depth}}),
                                 g.input("k", {kFloat32, {batch, key_heads, keys, depth}}),
                                 g.input("v", {kFloat32, {batch, key_heads, keys, pick(1, 3)}})};
    Inputs values;
    if (pick(0, 1) == 0) {
      // Some queries see nothing.
      const Tensor::Shape shapes[] = {{keys}, {queries, keys}, {batch, 1, 1, keys}, {batch, heads, queries, keys}};
      Tensor mask(kFloat32, shapes[pick(0, 3)]);
      const double unseen = pick(0, 1) == 0 ? -std::numeric_limits<double>::infinity() : -3e38;
      for (int64_t e = 0; e < mask.size(); ++e) mask.set_number(e, pick(0, 1) == 0 ? unseen : 0.25);
      inputs.push_back(pick(0, 1) == 0 ? g.constant(mask, "mask") : g.input("mask", type_of(mask)));
      values.emplace("mask", std::move(mask));
    }
    g.set_outputs({g.call(
        "attention", inputs,
        {{"causal", pick(0, 1) == 0}, {"cap", pick(0, 3) == 0 ? 2.0 : 0.0}, {"scale", pick(0, 1) == 0 ? 0.5 : 0.0}})});
    for (auto& [name, value] : test::random_inputs(g, random)) {
      if (name != "mask") values.insert_or_assign(name, value);
    }
    if (g.inputs().size() < 4) values.erase("mask");
    const Graph after = passes::run_passes(split_attention(g), simplifying_passes());
    INFO(to_text(g) << to_text(after));
    CHECK(difference(evaluate(g, values)[0], evaluate(after, values)[0], {0x1p-16, 0x1p-16}).value_or("") == "");
  }
}

TEST_CASE("fuse_operators leaves results, and its text is read back", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(60); ++round) {
    const Graph before = test::random_graph(random, 1 + round % 20);
    const Inputs inputs = test::random_inputs(before, random);
    const std::vector<Tensor> expected = evaluate(before, inputs);
    for (const Fusion level : {Fusion::kNone, Fusion::kElementwise, Fusion::kAll}) {
      const Graph after = fuse_operators(before, level);
      const std::string text = to_text(after);
      INFO(to_text(before) << text);
      CHECK(evaluate(after, inputs) == expected);
      CHECK((level != Fusion::kNone || same_structure(before, after)));
      const Graph again = parse_graph(text, "fused.graph", constants(after));
      CHECK(same_structure(after, again));
      CHECK(to_text(again) == text);
    }
  }
}

TEST_CASE("what is computed together", "[golden]") {
  Graph g("net");
  const Value x = g.input("x", {kFloat32, {1, 3, 8, 8}});
  // What a product reads is computed before.
  const Value conv =
      g.call("conv2d", {g.call("relu", {x}), g.constant(Tensor(kFloat32, {4, 3, 3, 3}), "w1")}, {}, "conv1");
  const Value scaled = g.call("multiply", {conv, g.constant(Tensor(kFloat32, {4, 1, 1}), "scale")});
  // A diamond: both branches are only for what joins them.
  const Value swish = g.call("multiply", {scaled, g.call("sigmoid", {scaled})}, {}, "swish");
  // A residual: the sums are needed twice.
  const Value second = g.call("conv2d", {swish, g.constant(Tensor(kFloat32, {4, 4, 1, 1}), "w2")}, {}, "conv2");
  const Value residual = g.call("relu", {g.call("add", {second, swish})});
  // Movement and a fold, behind each other.
  const Value flat = g.call("reshape", {residual}, {{"shape", Integers{4, 36}}});
  const Value mean = g.call("mean", {g.call("abs", {flat})}, {{"axes", Integers{1}}});
  // Two products do not join.
  const Value both = g.call("add", {g.call("dense", {flat, g.constant(Tensor(kFloat32, {1, 36}), "w3")}),
                                    g.call("dense", {flat, g.constant(Tensor(kFloat32, {1, 36}), "w4")})});
  g.set_outputs({g.call("softmax", {mean}), both});
  std::string text = to_text(g);
  for (const Fusion level : {Fusion::kElementwise, Fusion::kAll}) {
    text += level == Fusion::kAll ? "\nall:\n" : "\nelementwise:\n";
    text += to_text(fuse_operators(g, level));
  }
  const std::string difference = test::compare_golden("fused.txt", text);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("all passes one behind the other leave results, and show what each left", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(20); ++round) {
    const Graph before = test::random_graph(random, 16);
    const Inputs inputs = test::random_inputs(before, random);
    const std::vector<Tensor> expected = evaluate(before, inputs);
    std::vector<std::string> names, shown;
    const Graph after = passes::run_passes(before, simplifying_passes(), [&](const passes::Step& step) {
      names.emplace_back(step.name);
      shown.push_back(step.text());
    });
    CHECK(evaluate(after, inputs) == expected);
    REQUIRE(shown.size() == simplifying_passes().size());
    CHECK(shown.back() == to_text(after));
    for (size_t i = 0; i < names.size(); ++i) CHECK(names[i] == simplifying_passes()[i].name);
  }
}

TEST_CASE("nothing is left that no output needs, but inputs", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(20); ++round) {
    const Graph g = remove_dead_code(test::random_graph(random, 12));
    const std::vector<uint32_t> count = uses(g);
    for (size_t n = 0; n < count.size(); ++n) CHECK((count[n] > 0 || g.nodes()[n].kind == Node::Kind::kInput));
  }
}

TEST_CASE("calls of constants, and of what became constants, are folded", "[unit]") {
  Graph g("g");
  const Value x = g.input("x", {kInt8, {2}});
  const Value two = g.constant(Tensor(kInt8, {1}), "two"), sum = g.call("add", {two, two});
  g.set_outputs({g.call("add", {x, g.call("multiply", {sum, sum})})});
  const Graph folded = remove_dead_code(fold_constants(g));
  CHECK(calls(folded) == 1);
  CHECK(folded.nodes().size() == 3);
}

TEST_CASE("a result that is larger than it is worth stays a call", "[unit]") {
  Graph g("g");
  const Value a = g.constant(Tensor(kFloat32, {4096, 1})), b = g.constant(Tensor(kFloat32, {1, 2048}));
  g.set_outputs({g.call("add", {a, b})});
  CHECK(calls(fold_constants(g)) == 1);
}

TEST_CASE("calls that are the same once their operands are become one", "[unit]") {
  Graph g("g");
  const Value x = g.input("x", {kInt8, {2}});
  const auto branch = [&] { return g.call("relu", {g.call("add", {x, g.constant(Tensor(kInt8, {1}))})}); };
  const Value a = branch(), b = branch();
  const Value other = g.call("clip", {a}, {{"min", 0.0}, {"max", 1.0}});
  const Value wider = g.call("clip", {b}, {{"min", 0.0}, {"max", 2.0}});
  g.set_outputs({a, b, other, wider});
  const Graph common = remove_dead_code(eliminate_common_subexpressions(g));
  CHECK(calls(common) == 4);
  CHECK(common.outputs()[0] == common.outputs()[1]);
  CHECK_FALSE(common.outputs()[2] == common.outputs()[3]);
}

TEST_CASE("a batch norm goes into the weights before it", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (const std::string op : {"conv2d", "conv2d_transpose", "dense"}) {
    for (const bool has_bias : {false, true}) {
      Graph g("g");
      const Value x = g.input("x", {kFloat32, op == "dense" ? Tensor::Shape{3, 5} : Tensor::Shape{2, 3, 5, 4}});
      const Value weight = random_constant(g,
                                           op == "dense"    ? Tensor::Shape{6, 5}
                                           : op == "conv2d" ? Tensor::Shape{6, 3, 3, 2}
                                                            : Tensor::Shape{3, 6, 3, 2},
                                           random);
      std::vector<Value> inputs = {x, weight};
      if (has_bias) inputs.push_back(random_constant(g, {6}, random));
      const Value product = g.call(op, inputs);
      const Graph before = normed(std::move(g), product, 6, op == "dense" ? -1 : 1, random);
      const Graph after = remove_dead_code(fold_batch_norm(before));
      INFO(to_text(before) << to_text(after));
      CHECK(calls(after) == 1);
      const Inputs values = test::random_inputs(before, random);
      CHECK(difference(evaluate(before, values)[0], evaluate(after, values)[0], {1e-5, 1e-5}).value_or("") == "");
    }
  }
}

TEST_CASE("a batch norm stays where others use the sums, or outputs lie along another axis", "[unit]") {
  std::mt19937_64 random(1);
  Graph g("g");
  const Value x = g.input("x", {kFloat32, {1, 4, 4, 4}});
  const Value product = g.call("conv2d", {x, random_constant(g, {4, 4, 1, 1}, random)});
  CHECK(calls(remove_dead_code(fold_batch_norm(normed(g, product, 4, 2, random)))) == 2);
  Graph both = normed(g, product, 4, 1, random);
  both.set_outputs({both.outputs()[0], product});
  CHECK(calls(remove_dead_code(fold_batch_norm(both))) == 2);
}

}  // namespace vantage::test::graph_passes_test
